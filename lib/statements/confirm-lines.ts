import 'server-only'
import type { CommandView, DraftView, Line, StepUpOutcome } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { type AnyCommand, commandNamed } from '#lib/commands/kind.ts'
import { draftCommand, endUnsent } from '#lib/commands/prepare.ts'
import { factsOf } from '#lib/commands/row.ts'
import { forgetTries, missingBeforeSending, requiredStepUp } from '#lib/commands/step-up.ts'
import { findCommand } from '#lib/commands/store.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { counted } from '#lib/values/words.ts'
import { bindLine, changeUnchanged } from './line-changes.ts'
import { changeLine, findLeftDrafts, findReady, type ReadyLine, readyTotal } from './line-table.ts'
import { viewOfLine } from './line-view.ts'
import { findLine, type JudgedLine, type ShownLine } from './shown-lines.ts'
import type { LineView } from './statement-view.ts'
import { type Detach, forEveryone, PAUSES_MAX, pauseMs, type Run, startWork, UNANSWERED_MAX, workOn } from './work.ts'

interface Stop {
  readonly why: string
  readonly wantsCode: boolean
}

const stop = (why: string): Stop => ({ why, wantsCode: false })

export const NEEDS_APPROVAL = 'needs-approval'

/** After 429 of service or console; try the line again. */
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
  unknownInARow: number
}

/** Stores the command id on the line before it sends. Skips lines that changed since the run was confirmed. */
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
    return stop('Stopped.')
  }
  const running: Promise<unknown>[] = []
  const detach: Detach = (sending) => void running.push(sending)
  const reply = await executeCommand(session, id, { code: null, proof: null }, detach)
  await Promise.all(running)
  return reply.ok ? await judge(batch, reply.command, at) : stop(problemWords(reply.problem).title)
}

export type DraftedLine =
  | { readonly ok: true; readonly draft: DraftView }
  /** `hopeless`: every further line would fail, too. */
  | { readonly ok: false; readonly why: string; readonly hopeless: boolean; readonly pause?: Pause | null }

/** Binds the draft only if the line is unchanged. `batch`: the run's id. */
export async function draftLine(session: Session, line: JudgedLine, batch?: string): Promise<DraftedLine> {
  const db = await store()
  const params = { referenceId: line.sought, bankReference: line.bank_used, statementAmount: line.amount }
  const reply = await draftCommand(session, confirmKind(), params, batch === undefined ? {} : { batch })
  if (reply.ok) {
    if (await bindLine(db, line, reply.draft.id)) return { ok: true, draft: reply.draft }
    await takeBack(reply.draft.id)
    return CHANGED
  }
  const { problem } = reply
  const why = problem === null ? Object.values(reply.fields).join(' ') : problemWords(problem).title
  if (problem !== null && problem.status !== 404) return { ok: false, why, hopeless: true, pause: pauseOf(problem) }
  const change = problem === null ? { note: forEveryone(why, session) } : ({ verdict: 'unknown', note: null } as const)
  return (await changeUnchanged(db, line, change)) ? { ok: false, why, hopeless: false } : CHANGED
}

const CHANGED: DraftedLine = { ok: false, why: 'Someone has changed this line. Check it again.', hopeless: false }

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
    title: 'It was cancelled',
    advice: 'Nothing was changed. The line can be confirmed again.',
    problem: null,
  })
}

const wayOn: Readonly<Record<StepUpOutcome['need'], string>> = {
  code: 'Confirm the rest from here.',
  enrolment: 'Confirming the rest needs an authenticator. It is set up under Security.',
  passkey: 'Confirm this line separately.',
  'passkey-enrolment': 'Confirming this line separately needs a passkey. It is added under Security.',
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

const MET_BY_EVERY_LINE: ReadonlySet<number> = new Set([401, 403, 423, 503])

/** A failure that every line would meet ends or pauses the run and releases this line. */
async function judge(batch: Batch, { id, outcome }: CommandView, at: At): Promise<Stop | Pause | null> {
  if (outcome.class === 'step-up') {
    await unbind(at, id)
    return { why: `${outcome.title}. ${wayOn[outcome.need]}`, wantsCode: outcome.need === 'code' }
  }
  batch.unknownInARow = outcome.class === 'unknown' ? batch.unknownInARow + 1 : 0
  if (outcome.class !== 'refused') return null
  const pause = pauseOf(outcome.problem)
  const concernsLine = outcome.sent
    ? !MET_BY_EVERY_LINE.has(outcome.problem?.status ?? 0)
    : !outcome.limit && (await findCommand(await store(), id))?.state === 'closed'
  if (pause === null && concernsLine) return null
  await unbind(at, id)
  return pause ?? stop(outcome.limit ? `${outcome.title}. Home of that person shows what is left.` : outcome.title)
}

type LineToConfirm =
  | {
      readonly ok: true
      readonly draft: DraftView
      /** Read from the service now. */
      readonly facts: readonly Line[]
      readonly line: LineView
    }
  | { readonly ok: false; readonly why: string }

/** For a line that a run skips: an operator edited it, or it needs an approval. An edit withdraws the draft. */
export async function draftByHand(session: Session, statementId: string, number: number): Promise<LineToConfirm> {
  const line = await freeLine(statementId, number)
  if (line === undefined) return { ok: false, why: 'Line not found.' }
  if (line.status !== 'by-hand' && line.status !== 'ready') {
    return { ok: false, why: 'This line cannot be confirmed separately any more. Check it again.' }
  }
  const drafted = await draftLine(session, line)
  if (!drafted.ok) return { ok: false, why: drafted.why }
  const row = await findCommand(await store(), drafted.draft.id)
  if (row === undefined) throw new Error('a draft was made and is gone')
  const facts = commandNamed(row.kind)?.factLines(factsOf(row)) ?? []
  return { ok: true, draft: drafted.draft, facts, line: viewOfLine(line) }
}

/** The latest operator to open the line takes over another's open draft. */
async function freeLine(statementId: string, number: number): Promise<ShownLine | undefined> {
  const line = await findLine(await store(), statementId, number)
  if (line?.command_state !== 'draft' || line.command_id === null) return line
  await unbind({ statementId, number }, line.command_id)
  return await findLine(await store(), statementId, number)
}

/** A `StepUpOutcome` means that nothing has started; the operator must verify first. */
export type StartedRun = 'started' | 'busy' | 'changed' | 'codes-rejected' | StepUpOutcome

interface Order {
  readonly seal: string
  readonly code: string | null
}

/** Detached. Nothing starts if the lines differ from those seen (`seal`) or verification is missing. */
export async function startConfirming(
  session: Session,
  statementId: string,
  { seal, code }: Order,
  detach: Detach,
): Promise<StartedRun> {
  const db = await store()
  const going = await workOn(statementId)
  if (going?.work != null && going.alive) return 'busy'
  const lines = await findReady(db, statementId)
  const ready = await readyTotal(db, statementId)
  if (ready.count === 0 || ready.seal !== seal) return 'changed'
  const missing = await missingForRun(session, statementId, code)
  if (missing !== null) return missing
  const run = (run: Run) => confirmAll(session, run, lines)
  return (await startWork(session, statementId, { work: 'confirm', scope: null, total: lines.length, run }, detach))
    ? 'started'
    : 'busy'
}

const promptOf = (session: Session, statementId: string): string => `run ${statementId} ${session.id}`

export async function stepUpToContinue(session: Session, statementId: string): Promise<StepUpOutcome> {
  const wanted = await requiredStepUp(session, promptOf(session, statementId))
  return wanted.need === 'code' ? { ...wanted, advice: GO_ON_ADVICE } : wanted
}

const GO_ON_ADVICE = 'The verification expired during the run. Enter a code to confirm the rest.'

async function missingForRun(session: Session, statementId: string, code: string | null) {
  const prompt = promptOf(session, statementId)
  const missing = await missingBeforeSending(session, prompt, confirmKind(), code)
  if (missing === null) return null
  if (missing.outcome === null) forgetTries(prompt)
  return missing.outcome ?? 'codes-rejected'
}

const apartWords = (count: number): string =>
  `${counted(count, 'needs', 'need')} an approval or a passkey: confirm ${count === 1 ? 'it' : 'each'} separately.`

const isPause = (end: LineEnd): end is Pause => end !== null && end !== NEEDS_APPROVAL && 'seconds' in end

/** Returns a message for the operator, or an empty text. */
export async function confirmAll(session: Session, run: Run, lines: readonly ReadyLine[]): Promise<string> {
  const { statementId, token } = run
  for (const { number, commandId } of await findLeftDrafts(await store(), statementId)) {
    await unbind({ statementId, number }, commandId)
  }
  const batch = { session, statementId, token, goesOn: run.goesOn, unknownInARow: 0 }
  let apart = 0
  for (const line of lines) {
    const stopped = `Stopped after ${run.done} of ${lines.length}.`
    if (!(await run.goesOn())) return stopped
    let stop = await confirmLine(batch, line)
    for (let pauses = 0; isPause(stop); pauses += 1) {
      if (pauses === PAUSES_MAX)
        return `Stopped at line ${line.number}: a rate limit was reached too often. Confirm the rest later.`
      if (!(await run.pause(pauseMs(stop.seconds, pauses)))) return stopped
      stop = await confirmLine(batch, line)
    }
    if (stop === NEEDS_APPROVAL) apart += 1
    else if (stop !== null) {
      run.wantsCode = stop.wantsCode
      return `Stopped at line ${line.number}: ${forEveryone(stop.why, session)}`
    }
    run.done += 1
    if (batch.unknownInARow === UNANSWERED_MAX && run.done < lines.length)
      return `Stopped at line ${line.number}: the service gave no outcome for ${UNANSWERED_MAX} payments in a row. Check these lines, then confirm the rest.`
  }
  return apart === 0 ? '' : apartWords(apart)
}
