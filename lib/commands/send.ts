import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { errorName, log } from '#lib/config/log.ts'
import { isShuttingDown, perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { isDatabaseOut, wasRefused } from '#lib/database/database-error.ts'
import type { Sent } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CommandReply, Once, Outcome } from './command.ts'
import type { AnyServiceCommand, ConsoleRefusal } from './kind.ts'
import { outcomeOf, refusedByConsole, type Settled } from './outcome.ts'
import { readEffect, reconcileCommand, reopen, watchCommand } from './reconcile.ts'
import { type CommandRow, type CommandState, factsOf, paramsOf } from './row.ts'
import { requiredStepUp } from './step-up.ts'
import { findCommand, moveCommand } from './store.ts'
import { inCommandTrace } from './trace.ts'
import { kindOf, parseOutcome, unknownOutcome, viewOf, writeSettlement } from './view.ts'

interface Sends {
  readonly held: Map<string, number>
  readonly running: Set<Promise<unknown>>
  refusing: boolean
}

/** Each framework bundle has its own copy of the class, so callers compare the name. */
export const STOPPING = 'Stopping'

const sends = (): Sends => perProcess('sends', () => ({ held: new Map(), running: new Set(), refusing: false }))

class Stopping extends Error {
  override readonly name = STOPPING
}

/** Maintenance makes an unregistered `sent` command unknown. Throws `Stopping` before anything is sent. */
export function whileSending<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
  const { held, running, refusing } = sends()
  if (refusing && !held.has(commandId)) throw new Stopping('the process is stopping: nothing was sent')
  held.set(commandId, (held.get(commandId) ?? 0) + 1)
  const sending = work().finally(() => {
    const left = (held.get(commandId) ?? 1) - 1
    if (left > 0) held.set(commandId, left)
    else held.delete(commandId)
    running.delete(sending)
  })
  running.add(sending)
  return sending
}

export const isBeingSent = (commandId: string): boolean => sends().held.has(commandId)

/** Resolves when all running sends are stored. */
export async function endSends(): Promise<void> {
  const all = sends()
  all.refusing = true
  while (all.running.size > 0) await Promise.allSettled(all.running)
}

export const STORE_OUT = 'The console cannot reach its database right now'

export function consoleProblem(error: unknown, storeOut = STORE_OUT): Problem {
  log().error({ event: 'request', error: errorName(error) })
  return problemOfError(error, storeOut)
}

/** Must not reveal more of the error. */
export function problemOfError(error: unknown, storeOut = STORE_OUT): Problem {
  const because = (status: number, title: string) => problemOf('console', { status, title })
  if (isShuttingDown() || errorName(error) === STOPPING)
    return because(503, 'The console is stopping. Try again in a moment')
  return isDatabaseOut(error) ? because(503, storeOut) : because(500, 'Something went wrong in the console')
}

/** Keeps work running after the browser's request has ended. */
export type Detach = (running: Promise<unknown>) => void

interface Sending {
  readonly again: boolean
  readonly code: string
}

interface SentAndSettled {
  readonly settled: CommandRow
  readonly once: Once | null
}

/** Continues if the browser disconnects. If the outcome cannot be stored, answers unknown and continues storing. */
export async function sendDetached(
  session: Session,
  row: CommandRow,
  { again, code }: Sending,
  detach: Detach,
): Promise<CommandReply> {
  const [kind, params] = [serviceKindOf(row), paramsOf(row)]
  const delayed = Promise.withResolvers<SentAndSettled>()
  const notYet = { ...row, state: 'unknown', outcome: JSON.stringify(unknownOutcome(row)) }
  const running = whileSending(row.id, async () => {
    let result: SendResult
    try {
      const sent = await inCommandTrace(
        row,
        'send',
        async () => (await lastRefusal(session, row)) ?? (await kind.send(session, params, code)),
      )
      result =
        'kind' in sent ? await resultOf(session, row, sent, again) : { ...NOTHING, outcome: refusedByConsole(sent) }
    } catch (error) {
      // The change may have happened, so an error makes it unknown, never failed.
      const why = errorName(error)
      log().error({ event: 'command', id: row.id, why }, 'sending failed, and it may have happened')
      result = { ...NOTHING, outcome: outcomeOf(kind, row, { kind: 'lost', why }, again) }
    }
    // Shows the one-time content even if the command cannot be settled yet.
    return await settle(session, row, result, () => delayed.resolve({ settled: notYet, once: result.once }))
  })
  detach(running)
  const { settled, once } = await Promise.race([running, delayed.promise])
  const required = settled.state === 'challenged' ? await requiredStepUp(session, settled.id) : undefined
  return { ok: true, command: viewOf(settled, required), once }
}

function serviceKindOf(row: CommandRow): AnyServiceCommand {
  const kind = kindOf(row)
  if (!('send' in kind)) throw new Error(`${row.kind} sends nothing to the service`)
  return kind
}

const UNCHECKED = { title: 'The console could not check it', advice: 'Nothing was sent. Try again in a moment.' }

async function lastRefusal(session: Session, row: CommandRow): Promise<ConsoleRefusal | null> {
  try {
    return (await serviceKindOf(row).checkLast?.(session, paramsOf(row))) ?? null
  } catch (error) {
    log().error({ event: 'command', id: row.id, why: errorName(error) }, 'a last check failed, and nothing was sent')
    return UNCHECKED
  }
}

interface SendResult {
  readonly outcome: Settled
  readonly data: unknown
  readonly once: Once | null
}

const NOTHING = { data: null, once: null } as const

async function resultOf(session: Session, row: CommandRow, sent: Sent<unknown>, again: boolean): Promise<SendResult> {
  const kind = serviceKindOf(row)
  const outcome = await withoutGrant(session, row, sent, outcomeOf(kind, row, sent, again))
  const data = sent.kind === 'answer' ? sent.data : null
  const once = outcome.state === 'done' && data !== null ? (kind.once?.(data) ?? null) : null
  return { outcome, data, once }
}

async function settle(
  session: Session,
  row: CommandRow,
  { outcome, data, once }: SendResult,
  onDelay: () => void,
): Promise<SentAndSettled> {
  const settled = await inCommandTrace({ ...row, state: outcome.state }, 'settle', () =>
    recordOutcome(row, outcome, data, onDelay),
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
    log().warn(
      { event: 'read-at-once', id: row.id, why: errorName(error) },
      'the outcome of a change could not be read at first',
    )
    return known
  }
}

function isAcceptedWithoutProof({ state, outcome: json }: CommandRow): boolean {
  const outcome = state === 'accepted' && json !== null ? parseOutcome(json) : null
  return outcome?.class === 'accepted' && outcome.answer === 'success'
}

const MISFITS = new Set([400, 404, 409, 410, 412, 422])

/** An earlier change may have caused the refusal, so "Nothing changed" would be wrong. */
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

/** Never throws: the change is already stored. */
export async function afterConfirming(session: Session, row: CommandRow): Promise<void> {
  try {
    const kind = kindOf(row)
    const state = row.state === 'applied' ? 'done' : (row.state as CommandState)
    if ('send' in kind) await kind.afterConfirming?.(session, paramsOf(row), state)
  } catch (error) {
    log().warn(
      { event: 'after-confirming', id: row.id, why: errorName(error) },
      'what goes along with a change was not done',
    )
  }
}

async function describeFurther(session: Session, row: CommandRow, data: unknown): Promise<CommandRow> {
  const kind = serviceKindOf(row)
  const state = row.state as CommandState
  if (state !== 'done' && state !== 'applied') return row
  const more = (await kind.describeFurther?.(session, paramsOf(row), factsOf(row), data)) ?? null
  if (more === null) return row
  const outcome: Outcome = { class: 'done', ...more }
  const move = { from: [state], to: state, outcome: JSON.stringify(outcome), note: { answer: 'read' } }
  return (await moveCommand(await store(), row.id, move)) ?? row
}

/** The service's times are whole seconds. */
const MARGIN_MS = 2_000

/** The service applies no gated request of an enrolled person without a grant, so a lost answer leaves no doubt. */
export async function withoutGrant(
  session: Session,
  row: CommandRow,
  sent: Sent<unknown>,
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
      advice: 'No answer came, but the service does not apply this without a code. Do it again and enter a code.',
      problem: null,
    },
    note: { ...outcome.note, why: 'sent without a grant by a person who is enrolled' },
  }
}

/** Compares ages, never the clocks of two machines. */
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

/** Another process may have made it unknown meanwhile. */
const FROM: readonly CommandState[] = ['sent', 'unknown']

/** Retries until the process ends, because only this process knows the outcome. Calls `onDelay` after a failure. */
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
      log().error({ event: 'command', id: row.id, state: outcome.state }, 'an outcome could not be saved')
      if (error instanceof NotKept) outcome = notKept(row, outcome)
    }
    onDelay()
    await wait(pause)
  }
}

class NotKept extends Error {}

function asNotKept(error: unknown): never {
  throw wasRefused(error) ? new NotKept() : error
}

async function writeOnce(row: CommandRow, { state, outcome, note }: Settled, data: unknown): Promise<CommandRow> {
  const db = await store()
  const move = { from: FROM, to: state, outcome: JSON.stringify(outcome), note }
  const moved = await moveCommand(db, row.id, move, async (trx) => {
    if (state !== 'done') return
    await writeSettlement(trx, row, data).catch(asNotKept)
  })
  const known = moved ?? (await findCommand(db, row.id)) ?? row
  const isProved = known.state === 'not_applied' && outcome.class === 'done'
  return isProved ? await reopen(known, outcome, { data, note }).catch(asNotKept) : known
}

/** A person must check a change whose records cannot be stored. */
const notKept = (row: CommandRow, { note }: Settled): Settled => ({
  state: 'unknown',
  outcome: unknownOutcome(row),
  note: { ...note, why: 'it took effect, but the console could not save the result' },
})
