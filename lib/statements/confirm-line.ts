import 'server-only'
import type { CommandView, DraftView, StepUpOutcome } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { type AnyCommand, commandNamed } from '#lib/commands/kind.ts'
import { draftCommand, endUnsent } from '#lib/commands/prepare.ts'
import { findCommand } from '#lib/commands/store.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { JudgedLine } from './judged-line.ts'
import { bindLine } from './line-changes.ts'
import { changeLine, type ReadyLine } from './line-table.ts'
import { findLine } from './shown-line.ts'
import type { Detach } from './work.ts'

interface Stop {
  readonly why: string
  readonly wantsCode: boolean
}

const stop = (why: string): Stop => ({ why, wantsCode: false })

export const NEEDS_APPROVAL = 'needs-approval'

/** The service answered 429; try the same line again. */
export interface Pause {
  /** Null if the service sends no Retry-After. */
  readonly seconds: number | null
}

export type LineEnd = Stop | Pause | typeof NEEDS_APPROVAL | null

const pauseOf = (problem: Problem | null): Pause | null =>
  problem?.status === 429 ? { seconds: problem.retryAfterSeconds } : null

interface Batch {
  readonly session: Session
  readonly statementId: string
  /** The batch id: all commands of a run are one act. */
  readonly token: string
  /** False if the run was stopped or lost its lease. */
  readonly goesOn: () => Promise<boolean>
}

/**
 * Stores the command id on the line before the command executes, so that after a crash the line shows that something
 * may have been sent. Skips lines that changed since the operator confirmed the run.
 */
export async function confirmLine(batch: Batch, confirmed: ReadyLine): Promise<LineEnd> {
  const { session, statementId, token } = batch
  const db = await store()
  const at = { statementId, number: confirmed.number }
  const line = await findLine(db, statementId, confirmed.number)
  if (line === undefined || line.status !== 'ready' || !isSame(line, confirmed)) return null
  const drafted = await draftLine(session, line, token)
  if (!drafted.ok) return drafted.pause ?? (drafted.hopeless ? stop(drafted.why) : null)
  const { id, approval, passkey } = drafted.draft
  if (approval !== null || passkey) {
    await unbind(at, id)
    return NEEDS_APPROVAL
  }
  if (!(await batch.goesOn())) {
    await unbind(at, id)
    return stop('It was stopped.')
  }
  const running: Promise<unknown>[] = []
  const detach: Detach = (sending) => void running.push(sending)
  const reply = await executeCommand(session, id, { code: null, proof: null }, detach)
  await Promise.all(running)
  return reply.ok ? await judge(reply.command, at) : stop(problemWords(reply.problem).title)
}

export type DraftedLine =
  | { readonly ok: true; readonly draft: DraftView }
  /** `hopeless`: every further line would fail, too. */
  | { readonly ok: false; readonly why: string; readonly hopeless: boolean; readonly pause?: Pause | null }

/** Binds the draft only if the line is unchanged. `batch`: the run's id. */
export async function draftLine(session: Session, line: JudgedLine, batch?: string): Promise<DraftedLine> {
  const db = await store()
  const at = { statementId: line.statement_id, number: line.number }
  const params = { referenceId: line.sought, bankReference: line.bank_used, statementAmount: line.amount }
  const reply = await draftCommand(session, confirmKind(), params, batch === undefined ? {} : { batch })
  if (reply.ok) {
    if (await bindLine(db, line, reply.draft.id)) return { ok: true, draft: reply.draft }
    await takeBack(reply.draft.id)
    return { ok: false, why: 'Somebody has changed this line meanwhile. Look at it again.', hopeless: false }
  }
  if (reply.problem === null) {
    const why = Object.values(reply.fields).join(' ')
    await changeLine(db, at, { note: why })
    return { ok: false, why, hopeless: false }
  }
  const { title } = problemWords(reply.problem)
  if (reply.problem.status !== 404) return { ok: false, why: title, hopeless: true, pause: pauseOf(reply.problem) }
  await changeLine(db, at, { verdict: 'unknown', note: null })
  return { ok: false, why: title, hopeless: false }
}

export function confirmKind(): AnyCommand {
  const kind = commandNamed('deposit.confirm')
  if (kind === undefined) throw new Error('there is no way to confirm a deposit')
  return kind
}

const isSame = (line: ReadyLine, confirmed: ReadyLine): boolean =>
  line.sought === confirmed.sought && line.bank_used === confirmed.bank_used && line.amount === confirmed.amount

/** Ends a draft so that it is never sent. Only the author can withdraw one that waits for approval. */
async function takeBack(commandId: string): Promise<void> {
  const row = await findCommand(await store(), commandId)
  if (row?.state !== 'draft' && row?.state !== 'challenged') return
  await endUnsent(row, {
    class: 'refused',
    sent: false,
    title: 'It was taken back',
    advice: 'Nothing was changed. The line of the statement can be confirmed anew.',
    problem: null,
  })
}

const wayOn: Readonly<Record<StepUpOutcome['need'], string>> = {
  code: 'Confirm the rest from here: the code is asked for first, and the run goes on with this line.',
  enrolment: 'Set up an authenticator under Security, then confirm the rest from here.',
  passkey: 'Confirm this line by itself.',
  'passkey-enrolment': 'Add a passkey under Security, then confirm this line by itself.',
  later: 'Confirm the rest from here in a few minutes.',
}

interface At {
  readonly statementId: string
  readonly number: number
}

export async function unbind(at: At, commandId: string): Promise<void> {
  await takeBack(commandId)
  const row = await findCommand(await store(), commandId)
  const withoutEffect = row?.state === 'closed' || row?.state === 'refused' || row?.state === 'not_applied'
  if (withoutEffect) await changeLine(await store(), { ...at, bound: commandId }, { command_id: null })
}

/** A failure that every line would meet ends or pauses the run and releases this line. */
async function judge({ id, outcome }: CommandView, at: At): Promise<Stop | Pause | null> {
  if (outcome.class === 'step-up') {
    await unbind(at, id)
    return { why: `${outcome.title}. ${wayOn[outcome.need]}`, wantsCode: outcome.need === 'code' }
  }
  if (outcome.class !== 'refused') return null
  const pause = pauseOf(outcome.problem)
  if (pause !== null) {
    await unbind(at, id)
    return pause
  }
  if (outcome.sent) return null
  if (outcome.limit) {
    await unbind(at, id)
    return stop(`${outcome.title}. Home shows what is left of it, and when there is more.`)
  }
  const row = await findCommand(await store(), id)
  if (row?.state === 'closed') return null
  await unbind(at, id)
  return stop(outcome.title)
}
