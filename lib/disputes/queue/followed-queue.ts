import 'server-only'
import { z } from 'zod'
import { PAGE_SIZE_MAX, plainText } from '#lib/contract/wire.ts'
import { schedule } from '#lib/live/schedule.ts'
import type { Session } from '#lib/session/session.ts'
import { lookFor, onLook } from './look.ts'
import { ages, caseLists, claimFilters, type FollowedQueue, type ToldQueue } from './queue.ts'
import { queueNow } from './queue-view.ts'
import { factsAtHand, onFacts } from './transaction-facts.ts'

/** A little longer than a look at the list serves, so that every look is a new one. */
const LOOK_AGAIN_MS = 31_000
/** While the list is being read. */
const READING_AGAIN_MS = 5_000
const TEXT_CHARS = 200

const sortable = ['age', 'resolved', 'status', 'outcome'] as const
const text = plainText.max(TEXT_CHARS)

/** {@link FollowedQueue} as a page asks for it. */
const followed = z.strictObject({
  asked: z.strictObject({
    list: z.enum(caseLists),
    sort: z.strictObject({ column: z.enum(sortable), descending: z.boolean() }).nullable(),
    age: z.enum(ages.map(({ id }) => id)).nullable(),
    claim: z.enum(claimFilters).nullable(),
    party: text.nullable(),
    text: text.nullable(),
  }),
  places: z.union([
    z.strictObject({ page: z.int().positive(), size: z.int().positive().max(PAGE_SIZE_MAX) }),
    z.strictObject({ around: z.guid() }),
  ]),
  shown: z.strictObject({ ids: z.array(z.guid()).max(PAGE_SIZE_MAX), arrival: z.int().nonnegative() }),
})

/** Null where a page of another version asks for something else. */
export function followedQueue(param: string): FollowedQueue | null {
  try {
    return followed.safeParse(JSON.parse(param)).data ?? null
  } catch {
    return null
  }
}

/**
 * One page of the queue: its rows, its counts, and what its transactions hold, as far as this session may see them; and by
 * which news it is read again.
 */
export async function readFollowedQueue(session: Session, param: string) {
  const wanted = followedQueue(param)
  if (wanted === null) return { told: undefined }
  const queue = await queueNow(session, wanted)
  const { problem, reading } = queue.index
  if (problem?.kind === 'session-over') return { told: { ok: false as const, problem } }
  const value: ToldQueue = { queue, facts: factsAtHand(session, queue.rows) }
  return {
    told: { ok: true as const, value },
    // That something else was written meanwhile is no news of the queue.
    mark: JSON.stringify({ ...value, queue: { ...queue, version: 0 } }),
    keys: queue.rows.map(({ id }) => `case:${id.toLowerCase()}`),
    againMs: reading === null ? null : READING_AGAIN_MS,
  }
}

/** Tells when what the service shows this session may have moved, for as long as somebody follows it. Answers how to stop. */
export function followQueue(session: Session, wake: () => void): () => void {
  const stops = [onLook(session, wake), onFacts(session, wake), keepLooking(session)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Looks at the list of cases again and again while somebody follows it: what they may see, and what is new at the service. */
function keepLooking(session: Session): () => void {
  let cancel = () => {}
  let stopped = false
  const look = async () => {
    // A store that is out is told by the reading.
    await lookFor(session).catch(() => {})
    if (!stopped) cancel = schedule(LOOK_AGAIN_MS, () => void look())
  }
  void look()
  return () => {
    stopped = true
    cancel()
  }
}
