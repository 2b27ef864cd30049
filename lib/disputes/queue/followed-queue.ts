import 'server-only'
import { z } from 'zod'
import { PAGE_SIZE_MAX, plainText } from '#lib/contract/endpoint.ts'
import { parsedJson } from '#lib/contract/json.ts'
import type { Session } from '#lib/session/session.ts'
import { schedule } from '#lib/stream/schedule.ts'
import { isPlainAmount } from '#lib/values/amount-text.ts'
import { onCaseListProbe, probeCaseList } from './case-list-probe.ts'
import { ages, caseLists, claimFilters, type FollowedQueue, notices, type QueueUpdate, turnFilters } from './queue.ts'
import { queueNow } from './queue-view.ts'
import { factsAtHand, onFacts } from './transaction-facts.ts'

/** Longer than a cached look is valid, so that each look is new. */
const LOOK_AGAIN_MS = 31_000
const READING_AGAIN_MS = 5_000
const TEXT_CHARS = 200

const sortable = ['age', 'resolved', 'status', 'outcome', 'last', 'amount'] as const
const text = plainText.max(TEXT_CHARS)
const amount = text.refine(isPlainAmount)

const followed = z.strictObject({
  filter: z.strictObject({
    list: z.enum(caseLists),
    sort: z.strictObject({ column: z.enum(sortable), descending: z.boolean() }).nullable(),
    age: z.enum(ages.map(({ id }) => id)).nullable(),
    claim: z.enum(claimFilters).nullable(),
    assignee: text.nullable(),
    category: z.guid().nullable(),
    turn: z.enum(turnFilters).nullable(),
    unread: z.boolean(),
    notice: z.enum(notices).nullable(),
    party: text.nullable(),
    text: text.nullable(),
    amountFrom: amount.nullable(),
    amountTo: amount.nullable(),
  }),
  places: z.union([
    z.strictObject({ page: z.int().positive(), size: z.int().positive().max(PAGE_SIZE_MAX) }),
    z.strictObject({ around: z.guid() }),
  ]),
  shown: z.strictObject({ ids: z.array(z.guid()).max(PAGE_SIZE_MAX), arrival: z.int().nonnegative() }),
})

/** Null if another version of the page sent it. */
export const followedQueue = (param: string): FollowedQueue | null => followed.safeParse(parsedJson(param)).data ?? null

export async function readFollowedQueue(session: Session, param: string) {
  const wanted = followedQueue(param)
  if (wanted === null) return { result: undefined }
  const queue = await queueNow(session, wanted)
  const { problem, reading } = queue.index
  if (problem?.kind === 'session-over') return { result: { ok: false as const, problem } }
  const value: QueueUpdate = { queue, facts: factsAtHand(session, queue.rows) }
  return {
    result: { ok: true as const, value },
    // `version` counts all writes to the store, so it is no change.
    fingerprint: JSON.stringify({ ...value, queue: { ...queue, version: 0 } }),
    keys: queue.rows.map(({ id }) => `case:${id.toLowerCase()}`),
    againMs: reading === null ? null : READING_AGAIN_MS,
  }
}

export function followQueue(session: Session, wake: () => void): () => void {
  const stops = [onCaseListProbe(session, wake), onFacts(session, wake), keepLooking(session)]
  return () => {
    for (const stop of stops) stop()
  }
}

function keepLooking(session: Session): () => void {
  let cancel = () => {}
  let stopped = false
  const look = async () => {
    // The next read of the queue reports the failure.
    await probeCaseList(session).catch(() => {})
    if (!stopped) cancel = schedule(LOOK_AGAIN_MS, () => void look())
  }
  void look()
  return () => {
    stopped = true
    cancel()
  }
}
