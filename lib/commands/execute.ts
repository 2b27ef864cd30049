import 'server-only'
import type { Kysely } from 'kysely'
import { refusalProblem, refusedToMake } from '#lib/authorization/judge.ts'
import { errorName, log } from '#lib/config/log.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { refusedByWitness } from '#lib/journal/witness.ts'
import { grantOf, type Session, verifiedUntil } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { ruleOfChange } from './access.ts'
import { readCode } from './code.ts'
import { type CommandReply, type CommandView, type DraftReply, refusedUnsent } from './command.ts'
import { type AnyCommand, commandNamed } from './kind.ts'
import { type LockedCommand, LockFreed, LockHeld, LockTaken, lockCommand, takeLocks } from './locks.ts'
import { approvalState } from './policy/approval-table.ts'
import { enforcePolicy } from './policy/gate.ts'
import { type Assertion, missingPasskey } from './policy/passkeys.ts'
import {
  draftCommand,
  endIfChanged,
  endUnsent,
  lockConflictFault,
  preflight,
  type Refused,
  wrongProof,
} from './prepare.ts'
import { record, recordAtOnce, recordRefusal } from './record.ts'
import { type CommandRow, type CommandState, type LockHolder, type LockKey, paramsOf } from './row.ts'
import { afterConfirming, type Detach, sendDetached, whileSending } from './send.ts'
import { missingBeforeSending, requiredStepUp, verify } from './step-up.ts'
import { findCommand, isSameChange, moveIn } from './store.ts'
import { inCommandTrace } from './trace.ts'
import { expired, isExpired, kindOf, notFound, notHere, viewOf, wholeViewFor } from './view.ts'

export interface ConfirmInput {
  readonly code: string | null
  readonly proof: string | null
  readonly passkey?: Assertion | null
  /** The mark of {@link ChangedFacts} that the author has read. */
  readonly acknowledged?: string | null
  /** The draft was made in this request, so its facts are current. */
  readonly fresh?: boolean
}

/** Makes a stored draft's change once. A double click, resubmit or second tab gets the stored outcome. */
export async function executeCommand(
  session: Session,
  id: string,
  input: ConfirmInput,
  detach: Detach,
): Promise<CommandReply> {
  const before = verifiedUntil(session)
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  const reply = await inCommandTrace(row, 'execute', async () => {
    const stopped = await stoppedBeforeSending(session, row, input)
    if (stopped !== null) return stopped
    if (row.state === 'challenged') return await sendAgain(session, row, detach)
    const verified = verifiedUntil(session)
    return await sendDraft(session, row, { code: input.code, again: verified !== null && verified !== before }, detach)
  })
  if (!reply.ok) return reply
  const now = verifiedUntil(session)
  const command = await currentView(session, row, reply.command)
  return { ...reply, command, ...(now === before ? {} : { verifiedUntil: now }) }
}

/** Keeps the known view if the store fails: the change is made, and an error would deny it. */
async function currentView(session: Session, row: CommandRow, known: CommandView): Promise<CommandView> {
  try {
    return await wholeViewFor(session, (await findCommand(await store(), row.id)) ?? row, known.outcome)
  } catch (error) {
    log().error({ event: 'command', id: row.id, why: errorName(error) }, 'an outcome could not be read again')
    return known
  }
}

async function stoppedBeforeSending(
  session: Session,
  row: CommandRow,
  input: ConfirmInput,
): Promise<CommandReply | null> {
  const state = row.state as CommandState
  const goesOn = state === 'draft' || state === 'awaiting_approval' || state === 'challenged'
  if (goesOn && commandNamed(row.kind) === undefined) return { ok: true, command: viewOf(row, notHere) }
  if (!goesOn) return { ok: true, command: viewOf(row) }
  const halted = await refusedByWitness(await store())
  if (halted !== null) return { ok: false, problem: halted }
  const changed = await endIfChanged(row)
  if (changed !== null) return { ok: true, command: changed }
  if (state === 'challenged') {
    const waiting = await stillWaiting(session, row, input)
    return waiting === null ? null : await latestView(row, waiting)
  }
  const refusal = state === 'awaiting_approval' ? await refusedToMake(session, ruleOfChange(row)) : null
  if (refusal !== null) {
    await recordRefusal(session, row.kind, refusal, row.id)
    return { ok: false, problem: refusalProblem(refusal) }
  }
  const notYet = state === 'draft' ? await notConfirmed(row, input) : await notApproved(row)
  const stopped =
    notYet ??
    (await missingPasskey(session, row, input.passkey ?? null)) ??
    (await missingFactsOrCode(session, row, input))
  if (stopped === null) return null
  if (stopped.outcome.class === 'step-up') await afterConfirming(session, row)
  return await latestView(row, stopped)
}

async function latestView(row: CommandRow, unsent: CommandView): Promise<CommandReply> {
  const now = await findCommand(await store(), row.id)
  return { ok: true, command: now === undefined || now.state === row.state ? unsent : viewOf(now) }
}

async function notConfirmed(row: CommandRow, { code, proof }: ConfirmInput): Promise<CommandView | null> {
  if (isExpired(row)) return await endUnsent(row, expired)
  const wrong = wrongProof(row, proof)
  const kind = kindOf(row)
  const takesCode = 'send' in kind && kind.takesCode === true
  if (wrong !== null || !takesCode || readCode(code) !== null) return wrong
  return viewOf(row, refusedUnsent('A code is needed', 'Nothing was sent. Enter the code from your authenticator app.'))
}

async function notApproved(row: CommandRow): Promise<CommandView | null> {
  const { ready, ended } = await approvalState(await store(), row)
  if (ended !== null) return await endUnsent(row, ended)
  return ready ? null : viewOf(row)
}

async function missingFactsOrCode(session: Session, row: CommandRow, input: ConfirmInput): Promise<CommandView | null> {
  const kind = kindOf(row)
  // Facts first, so that an outdated change costs no code. With a code, facts after it, because typing takes time.
  const factsFirst = input.code === null
  if (factsFirst && !input.fresh) {
    const stopped = await preflight(session, row, input.acknowledged)
    if (stopped !== null) return stopped
  }
  const missing = await missingBeforeSending(session, row.id, kind, input.code)
  if (missing !== null) return missing.outcome === null ? await endedByCodes(row) : viewOf(row, missing.outcome)
  return factsFirst || input.fresh ? null : await preflight(session, row, input.acknowledged)
}

async function sendDraft(
  session: Session,
  row: CommandRow,
  { code, again }: { readonly code: string | null; readonly again: boolean },
  detach: Detach,
): Promise<CommandReply> {
  const [kind, params] = [kindOf(row), paramsOf(row)]
  const refusal = 'send' in kind ? null : ((await kind.checkLast?.(session, params)) ?? null)
  const sent = await whileSending(row.id, async () => {
    const alsoRecord =
      'send' in kind ? undefined : (trx: Trx, started: CommandRow) => record(trx, kind, started, refusal)
    const start = await startCommand(
      await store(),
      row.id,
      kind.locks(params, session),
      row.state as 'draft',
      alsoRecord,
    )
    if (!start.ok) return start
    if (!('send' in kind)) return { ok: true, command: viewOf(start.command) } as const
    return await sendDetached(session, start.command, { again, code: readCode(code) ?? '' }, detach)
  })
  if (!isUnsent(sent)) return sent
  if ('stopped' in sent || sent.heldBy === null) return await currentOutcome(row, sent)
  const faults = lockConflictFault(kind, params, sent.heldBy, holderName(row, sent.heldBy))
  const conflict = refusedUnsent(
    Object.values(faults).join(' '),
    'Nothing was sent. Check the outcome of the other change first.',
  )
  // Keeps the approvals: it can be sent once the other command ended without effect.
  return await latestView(row, row.state === 'draft' ? await endUnsent(row, conflict) : viewOf(row, conflict))
}

type Unsent = Exclude<Started, { ok: true }>

const isUnsent = (reply: CommandReply | Unsent): reply is Unsent => 'heldBy' in reply || 'stopped' in reply

async function currentOutcome(row: CommandRow, unsent: Unsent): Promise<CommandReply> {
  const now = 'stopped' in unsent ? unsent.stopped : await findCommand(await store(), row.id)
  return now === undefined ? notFound : { ok: true, command: viewOf(now) }
}

/** Other people read this text, so it must not say “you”. */
const holderName = (row: CommandRow, { actor, actorName }: LockHolder): string =>
  actor === row.actor && actorName !== row.actor_name ? 'the same person, with another sign-in,' : actorName

/** Repeats the same command once after a step-up (interface.md, "Step-up verification"). */
async function sendAgain(session: Session, row: CommandRow, detach: Detach): Promise<CommandReply> {
  const sent = await whileSending(row.id, async () => {
    const start = await startAgain(await store(), row.id)
    return start.ok ? await sendDetached(session, start.command, { again: true, code: '' }, detach) : start
  })
  return isUnsent(sent) ? await currentOutcome(row, sent) : sent
}

/** A valid grant of another change needs no code. */
async function stillWaiting(
  session: Session,
  row: CommandRow,
  { code, acknowledged }: ConfirmInput,
): Promise<CommandView | null> {
  if (grantOf(session) === null) {
    const required = await requiredStepUp(session, row.id)
    if (code === null || required.need !== 'code' || required.lockedSeconds !== null) return viewOf(row, required)
    const verified = await verify(session, row, code)
    if (!verified.ok) return verified.outcome === null ? await endedByCodes(row) : viewOf(row, verified.outcome)
  }
  const stopped = await preflight(session, row, acknowledged)
  if (stopped !== null) return stopped
  // The grant may have expired during the preflight.
  return grantOf(session) === null ? viewOf(row, await requiredStepUp(session, row.id)) : null
}

const endedByCodes = (row: CommandRow): Promise<CommandView> =>
  endUnsent(
    row,
    refusedUnsent(
      'Three codes were rejected',
      'Nothing was changed. Check your authenticator’s clock, then start again.',
    ),
  )

export type Started =
  | { readonly ok: true; readonly command: CommandRow }
  | { readonly ok: false; readonly heldBy: LockHolder | null }
  | { readonly ok: false; readonly stopped: CommandRow }

/** In one transaction, before the request is sent. `heldBy` null: the command was sent or ended meanwhile. */
export async function startCommand(
  db: Kysely<Tables>,
  id: string,
  locks: readonly LockKey[],
  from: 'draft' | 'awaiting_approval' = 'draft',
  alsoRecord?: (trx: Trx, started: CommandRow) => Promise<CommandRow>,
  oneByOne = false,
): Promise<Started> {
  try {
    return await inJournal(db, async (trx) => {
      if (oneByOne) await takeLocks(trx, id, locks)
      const locked = await lockCommand(trx, id, oneByOne ? [] : locks)
      if (locked === null && !oneByOne) throw new LockHeld()
      const started = locked && (await sendOrStop(trx, locked, from))
      if (started === null) throw new LockTaken(null)
      if (!started.ok || alsoRecord === undefined) return started
      return { ok: true, command: await alsoRecord(trx, started.command) }
    })
  } catch (error) {
    if (error instanceof LockTaken) return { ok: false, heldBy: error.holder }
    if (error instanceof LockHeld || error instanceof LockFreed)
      return await startCommand(db, id, locks, from, alsoRecord, true)
    throw error
  }
}

export const startAgain = (db: Kysely<Tables>, id: string): Promise<Started> =>
  inJournal(db, async (trx) => {
    const locked = await lockCommand(trx, id, [])
    return (locked && (await sendOrStop(trx, locked, 'challenged'))) ?? { ok: false, heldBy: null }
  })

async function sendOrStop(trx: Trx, locked: LockedCommand, from: CommandState): Promise<Started | null> {
  const { row } = locked
  if (row.state !== from) return null
  const stop = await enforcePolicy(trx, locked)
  if (stop === null) {
    const note = from === 'challenged' ? { note: { again: true } } : {}
    const command = await moveIn(trx, row.id, { from: [from], to: 'sent', ...note }, locked)
    if (command !== null && !isSameChange(row, command))
      throw new Error('the store altered a change that was to be sent')
    return command && { ok: true, command }
  }
  const to = from === 'challenged' ? 'refused' : 'closed'
  const handled = from === 'awaiting_approval'
  const move = { from: [from], to, handled, outcome: JSON.stringify(stop.outcome), note: stop.note } as const
  const stopped = await moveIn(trx, row.id, move, locked)
  return stopped && { ok: false, stopped }
}

interface NewChange {
  /** Made by the browser: a retry after a lost answer sends nothing. */
  readonly id: string
  readonly kind: AnyCommand
  readonly params: unknown
}

/** For kinds without a confirmation. Returns the stored outcome if the command exists. */
export async function sendAtOnce(
  session: Session,
  { id, kind, params }: NewChange,
  detach: Detach,
): Promise<CommandReply | Refused> {
  const known = await commandWith(id)
  if (known === undefined) {
    const made = await unlessThere<DraftReply | CommandReply>(id, () =>
      'send' in kind ? draftCommand(session, kind, params, { id }) : recordAtOnce(session, kind, params, { id }),
    )
    if (made !== null && !('draft' in made)) return made
  } else if (known.actor !== session.actor) return notFound
  return await executeCommand(session, id, { code: null, proof: null, fresh: known === undefined }, detach)
}

/** Null if a simultaneous request with this id was first. */
async function unlessThere<Reply extends { readonly ok: boolean }>(
  id: string,
  make: () => Promise<Reply>,
): Promise<Reply | null> {
  let refused: Reply | null = null
  let failure: unknown
  try {
    const reply = await make()
    if (reply.ok) return reply
    refused = reply
  } catch (error) {
    failure = error
  }
  if ((await commandWith(id)) !== undefined) return null
  if (refused === null) throw failure
  return refused
}

export const hasCommand = async (id: string): Promise<boolean> => (await commandWith(id)) !== undefined

const commandWith = async (id: string): Promise<CommandRow | undefined> => findCommand(await store(), id)
