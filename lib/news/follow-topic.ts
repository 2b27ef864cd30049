import 'server-only'
import { consoleProblem } from '#lib/commands/running-sends.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Schedule } from '#lib/live/schedule.ts'
import type { Session } from '#lib/session/session.ts'
import type { Told } from './news-event.ts'
import { newsReader } from './news-reader.ts'
import type { Reading, Topic, ValueTopic } from './topic.ts'

const AFTER_FAILURE_MS = 5_000

interface Turns {
  going: number
  readonly waiting: (() => void)[]
}

/** Slow reads must not delay other topics. */
const turnsOf = (topic: ValueTopic): Turns => {
  const all = perProcess('readings of topics', () => new WeakMap<ValueTopic, Turns>())
  const turns = all.get(topic) ?? { going: 0, waiting: [] }
  all.set(topic, turns)
  return turns
}

async function inTurn<Value>(topic: ValueTopic, read: () => Promise<Value>): Promise<Value> {
  const turns = turnsOf(topic)
  if (turns.going >= topic.readingsAtOnce) await new Promise<void>((go) => turns.waiting.push(go))
  else turns.going += 1
  try {
    return await read()
  } finally {
    const next = turns.waiting.shift()
    if (next === undefined) turns.going -= 1
    else next()
  }
}

interface Following {
  readonly session: Session
  readonly topic: Topic
  readonly param: string
  readonly schedule: Schedule
  readonly tell: (told: Told) => void
}

export function followTopic({ session, topic, param, schedule, tell }: Following): () => void {
  const { source } = topic
  if (source.kind === 'value') return followValue(session, { topic, source, param, schedule, tell })
  let stopped = false
  let stop = () => {}
  const open = async () => {
    const refusal = await topic.refused(session)
    if (stopped) return
    if (refusal !== null) return tell(refusal)
    stop = source.open(session, param, tell)
    // The first value may end the feed.
    if (stopped) stop()
  }
  open().catch((error: unknown) => tell({ ok: false, problem: consoleProblem(error) }))
  return () => {
    stopped = true
    stop()
  }
}

interface FollowingValue extends Omit<Following, 'session'> {
  readonly source: ValueTopic
}

function followValue(session: Session, { topic, source, param, schedule, tell }: FollowingValue): () => void {
  let [stopped, reading, changed, readAt] = [false, false, false, 0]
  let mark: string | null = null
  let keys = ''
  let cancel = () => {}
  const wake = () => {
    changed = true
    if (!reading) plan(Math.max(0, readAt + source.pauseMs - Date.now()))
  }
  const plan = (ms: number) => {
    cancel()
    if (!stopped) cancel = schedule(ms, () => void read())
  }
  const stops = [newsReader().follow(source.keys(session, param), wake), source.listen?.(session, wake)]
  let stopFurther = () => {}
  const take = ({ told, mark: given, keys: further = [], againMs = null }: Reading) => {
    if (further.join(' ') !== keys) {
      keys = further.join(' ')
      stopFurther()
      stopFurther = newsReader().follow(further, wake)
      // These keys may have changed before they were followed.
      changed = true
    }
    const now = given ?? JSON.stringify(told)
    if (told !== undefined && now !== mark) tell(told)
    if (told !== undefined) mark = now
    if (changed) plan(source.pauseMs)
    else if (againMs !== null) plan(againMs)
  }
  const read = async () => {
    cancel()
    reading = true
    changed = false
    const result = await inTurn(source, async (): Promise<Reading> => {
      const refusal = stopped ? null : await topic.refused(session)
      if (stopped || refusal !== null) return { told: refusal ?? undefined }
      return await source.read(session, param)
    }).catch((error: unknown) => ({
      told: { ok: false as const, problem: consoleProblem(error) },
      againMs: AFTER_FAILURE_MS,
    }))
    reading = false
    readAt = Date.now()
    if (!stopped) take(result)
  }
  void read()
  return () => {
    stopped = true
    cancel()
    stopFurther()
    for (const stop of stops) stop?.()
  }
}
