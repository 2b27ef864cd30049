import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { log } from '#lib/config/log.ts'
import { wasRefused } from '#lib/database/database-error.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import type { Sent } from '#lib/service/send.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CommandReply, Once, Outcome } from './command.ts'
import type { OwnAct } from './command-kind.ts'
import { type CommandRow, type CommandState, findCommand, moveCommand } from './command-table.ts'
import { inCommandTrace } from './command-trace.ts'
import { outcomeOf, type Settled } from './outcome.ts'
import { readEffect, reconcileCommand } from './reconcile.ts'
import { whileSending } from './running-sends.ts'
import { wantedNow } from './step-up.ts'
import { factsOf, kindOf, paramsOf, parseOutcome, unknownOutcome, viewOf, writeSettlement } from './view.ts'
import { watchCommand } from './watch.ts'

/** Keeps a promise going after the browser's request is answered or gone. */
export type Detach = (running: Promise<unknown>) => void

interface Sending {
  /** The one repeat, after a step-up. */
  readonly again: boolean
  /** For the kinds whose request itself carries a code. */
  readonly code: string
}

interface SentAndSettled {
  readonly settled: CommandRow
  readonly once: Once | null
}

/**
 * Sends a command whose state is `sent`, and waits for what came of it; goes on if the browser does not wait. While the
 * outcome cannot be written down the browser is told that it is not known yet, and the writing goes on.
 */
export async function sendDetached(
  session: Session,
  row: CommandRow,
  sending: Sending,
  detach: Detach,
): Promise<CommandReply> {
  const delayed = Promise.withResolvers<SentAndSettled>()
  const notYet = { ...row, state: 'unknown', outcome: JSON.stringify(unknownOutcome(row)) }
  const running = whileSending(row.id, () =>
    // What only this one answer shows is shown, though its command is not settled yet.
    sendAndSettle(session, row, sending, (once) => delayed.resolve({ settled: notYet, once })),
  )
  detach(running)
  const { settled, once } = await Promise.race([running, delayed.promise])
  const wanted = settled.state === 'challenged' ? await wantedNow(session, settled.id) : undefined
  return { ok: true, command: viewOf(settled, wanted), once }
}

/** From here on the change may have happened, so whatever goes wrong is told as not known, never as failed. */
async function sendAndSettle(
  session: Session,
  row: CommandRow,
  sending: Sending,
  onDelay: (once: Once | null) => void,
): Promise<SentAndSettled> {
  const { outcome, data, once } = await sendOnce(session, row, sending)
  const settled = await inCommandTrace({ ...row, state: outcome.state }, 'settle', () =>
    recordOutcome(row, outcome, data, () => onDelay(once)),
  )
  const known = await readAtOnce(session, settled, data)
  watchCommand(session, known)
  await afterConfirming(session, known)
  return { settled: known, once }
}

async function readAtOnce(session: Session, row: CommandRow, data: unknown): Promise<CommandRow> {
  let known = row
  try {
    if (row.state === 'refused') return await describeRefusal(session, row)
    if (isAcceptedWithoutProof(row)) known = (await reconcileCommand(session, row)).command
    return await describeFurther(session, known, data)
  } catch (error) {
    const why = error instanceof Error ? error.name : 'error'
    log().warn({ event: 'read-at-once', id: row.id, why }, 'what came of a change could not be read at once')
    return known
  }
}

function isAcceptedWithoutProof({ state, outcome: json }: CommandRow): boolean {
  const outcome = state === 'accepted' && json !== null ? parseOutcome(json) : null
  return outcome?.class === 'accepted' && outcome.answer === 'success'
}

/** Refusals because of the present state. */
const MISFITS = new Set([400, 404, 409, 410, 412, 422])

/** An earlier change may be the reason for a refusal, so the present state replaces "Nothing changed". */
async function describeRefusal(session: Session, row: CommandRow): Promise<CommandRow> {
  const refusal = row.outcome === null ? null : parseOutcome(row.outcome)
  if (refusal?.class !== 'refused' || refusal.problem === null || !refusal.sent) return row
  const { status, code } = refusal.problem
  // The interface does not disclose why a code was rejected.
  if (!MISFITS.has(status ?? 0) || code === 'core::gatekeeper::code::invalid') return row
  const found = await readEffect(session, row)
  if (found === null || !('settled' in found)) return row
  const words = problemWords(refusal.problem, 'change', found.shows)
  const outcome = JSON.stringify({ ...refusal, ...words } satisfies Outcome)
  const move = { from: ['refused'], to: 'refused', outcome, note: { answer: 'read', shows: found.shows } } as const
  return (await moveCommand(await store(), row.id, move)) ?? row
}

interface Came {
  readonly outcome: Settled
  /** Of a success, its body. */
  readonly data: unknown
  readonly once: Once | null
}

/** Never throws: the change itself is written down. */
export async function afterConfirming(session: Session, row: CommandRow): Promise<void> {
  try {
    const state = row.state === 'applied' ? 'done' : (row.state as CommandState)
    await kindOf(row).afterConfirming?.(session, paramsOf(row), state)
  } catch (error) {
    const why = error instanceof Error ? error.name : 'error'
    log().warn({ event: 'after-confirming', id: row.id, why }, 'what goes along with a change was not done')
  }
}

/** Never throws: what fails on the way, or cannot be told, may have happened. */
async function sendOnce(session: Session, row: CommandRow, { again, code }: Sending): Promise<Came> {
  const kind = kindOf(row)
  try {
    const sent = await inCommandTrace(row, 'send', () => kind.send(session, paramsOf(row), code))
    const outcome = await withoutGrant(session, row, sent, outcomeOf(kind, row, sent, again))
    const data = sent.kind === 'answer' ? sent.data : null
    const isShown = outcome.state === 'done' && data !== null && 'once' in kind
    const once = isShown ? (kind.once?.(data) ?? null) : null
    return { outcome, data, once }
  } catch (error) {
    const why = error instanceof Error ? error.name : 'error'
    log().error({ event: 'command', id: row.id, why }, 'sending failed, and it may have happened')
    return { outcome: outcomeOf(kind, row, { kind: 'lost', why }, again), data: null, once: null }
  }
}

async function describeFurther(session: Session, row: CommandRow, data: unknown): Promise<CommandRow> {
  const kind = kindOf(row)
  const state = row.state as CommandState
  if ((state !== 'done' && state !== 'applied') || !('describeFurther' in kind)) return row
  const more = (await kind.describeFurther?.(session, paramsOf(row), factsOf(row), data)) ?? null
  if (more === null) return row
  const outcome: Outcome = { class: 'done', ...more }
  const move = { from: [state], to: state, outcome: JSON.stringify(outcome), note: { answer: 'read' } }
  return (await moveCommand(await store(), row.id, move)) ?? row
}

/** The service tells times in whole seconds, and an enrolment right before the request proves nothing. */
const MARGIN_MS = 2_000

/**
 * A gated request that went out without a grant, of somebody who was enrolled when it did, cannot have taken effect: the
 * grant is a condition of it. So an answer that was lost leaves no doubt. Of anybody else it does.
 */
export async function withoutGrant(
  session: Session,
  row: CommandRow,
  sent: Sent<unknown> | OwnAct,
  outcome: Settled,
): Promise<Settled> {
  if (outcome.state !== 'unknown' || !('ungranted' in sent) || !sent.ungranted) return outcome
  if (!(await wasEnrolled(session, row))) return outcome
  return {
    state: 'refused',
    outcome: {
      class: 'refused',
      sent: true,
      title: 'It was not applied',
      advice:
        'No answer came, but it went out without a verified code, and the service applies nothing of the kind for somebody with two-factor security. Do it anew: the code is asked for first.',
      problem: null,
    },
    note: { ...outcome.note, why: 'sent without a grant by a person who is enrolled' },
  }
}

/** By how long ago each was, so that no two clocks are compared. */
async function wasEnrolled(session: Session, row: CommandRow): Promise<boolean> {
  const status = await readTotpStatus(session)
  if (!status.ok || !status.value.enrolled || status.value.enrolledAt === null || status.serviceTime === null)
    return false
  const enrolledAgo = Date.parse(status.serviceTime) - Date.parse(status.value.enrolledAt)
  const sentAgo = Date.now() - Date.parse(row.sent_at ?? row.created_at)
  return enrolledAgo > sentAgo + MARGIN_MS
}

const FIRST_PAUSE_MS = 100
const PAUSE_MAX_MS = 2_000

/** Another process may have taken this one for dead: what is known here still holds. */
const FROM: readonly CommandState[] = ['sent', 'unknown']

/**
 * Writes down what came of a command, and what it leaves in the console's own tables; tries again for as long as the
 * process lives, since nobody else knows. `onDelay` is called when it has failed once.
 */
export async function recordOutcome(
  row: CommandRow,
  settled: Settled,
  data: unknown,
  onDelay: () => void,
): Promise<CommandRow> {
  let outcome = settled
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    try {
      return await writeOnce(row, outcome, data)
    } catch (error) {
      log().error({ event: 'command', id: row.id, state: outcome.state }, 'an outcome could not be written down')
      if (error instanceof NotKept) outcome = notKept(row, outcome)
    }
    onDelay()
    await wait(pause)
  }
}

/** The store answers, and will never take what the command leaves in its tables. */
class NotKept extends Error {}

async function writeOnce(row: CommandRow, { state, outcome, note }: Settled, data: unknown): Promise<CommandRow> {
  const db = await store()
  const move = { from: FROM, to: state, outcome: JSON.stringify(outcome), note }
  const moved = await moveCommand(db, row.id, move, async (trx) => {
    if (state !== 'done') return
    await writeSettlement(trx, row, data).catch((error: unknown) => {
      throw wasRefused(error) ? new NotKept() : error
    })
  })
  return moved ?? (await findCommand(db, row.id)) ?? row
}

/** A change that took effect without its trace here is not told as done: a person has to look. */
const notKept = (row: CommandRow, { note }: Settled): Settled => ({
  state: 'unknown',
  outcome: unknownOutcome(row),
  note: { ...note, why: 'it took effect, and the console could not keep what it left' },
})
