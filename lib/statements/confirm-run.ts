import 'server-only'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import { forgetTries, missingBeforeSending, requiredStepUp } from '#lib/commands/step-up.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { confirmKind, confirmLine, type LineEnd, NEEDS_APPROVAL, type Pause, unbind } from './confirm-line.ts'
import { findLeftDrafts, findReady, type ReadyLine, readyTotal } from './line-table.ts'
import { type Detach, PAUSES_MAX, pauseMs, type Run, startWork, workOn } from './work.ts'

/** A `StepUpOutcome` means that nothing has started; the operator must verify first. */
export type StartedRun = 'started' | 'busy' | 'changed' | 'codes-rejected' | StepUpOutcome

export interface Order {
  readonly seal: string
  readonly code: string | null
}

/**
 * Runs detached from the request. Starts nothing if the lines differ from those that the operator saw (`seal`) or if
 * verification is missing. Never sends a line twice.
 */
export async function startConfirming(
  session: Session,
  statementId: string,
  { seal, code }: Order,
  detach: Detach,
): Promise<StartedRun> {
  const db = await store()
  const going = await workOn(statementId)
  if (going?.work != null && going.alive) return 'busy'
  const ready = await readyTotal(db, statementId)
  if (ready.count === 0 || ready.seal !== seal) return 'changed'
  const missing = await missingForRun(session, statementId, code)
  if (missing !== null) return missing
  const lines = await findReady(db, statementId)
  const run = (run: Run) => confirmAll(session, run, lines)
  return (await startWork(session, statementId, { work: 'confirm', extent: null, total: lines.length, run }, detach))
    ? 'started'
    : 'busy'
}

const promptOf = (session: Session, statementId: string): string => `run ${statementId} ${session.id}`

export async function wantedToGoOn(session: Session, statementId: string): Promise<StepUpOutcome> {
  const wanted = await requiredStepUp(session, promptOf(session, statementId))
  return wanted.need === 'code' ? { ...wanted, advice: GO_ON_ADVICE } : wanted
}

const GO_ON_ADVICE = 'The verification ended before the run did. The rest goes out once the code is accepted.'

async function missingForRun(session: Session, statementId: string, code: string | null) {
  const prompt = promptOf(session, statementId)
  const missing = await missingBeforeSending(session, prompt, confirmKind(), code)
  if (missing === null) return null
  if (missing.outcome === null) forgetTries(prompt)
  return missing.outcome ?? 'codes-rejected'
}

const apartWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'needs' : 'need'} an approval or a passkey: confirm ${count === 1 ? 'it' : 'each of them'} by itself.`

const isPause = (end: LineEnd): end is Pause => end !== null && end !== NEEDS_APPROVAL && 'seconds' in end

/** Returns a message for the operator, or an empty text. */
export async function confirmAll(session: Session, run: Run, lines: readonly ReadyLine[]): Promise<string> {
  const { statementId, token } = run
  for (const { number, commandId } of await findLeftDrafts(await store(), statementId)) {
    await unbind({ statementId, number }, commandId)
  }
  let apart = 0
  for (const line of lines) {
    const stopped = `It was stopped after ${run.done} of ${lines.length}.`
    if (!(await run.goesOn())) return stopped
    const batch = { session, statementId, token, goesOn: run.goesOn }
    let came = await confirmLine(batch, line)
    for (let pauses = 0; isPause(came); pauses += 1) {
      if (pauses === PAUSES_MAX)
        return `It stopped at line ${line.number}: the service keeps asking to wait. Confirm the rest later.`
      if (!(await run.pause(pauseMs(came.seconds, pauses)))) return stopped
      came = await confirmLine(batch, line)
    }
    if (came === NEEDS_APPROVAL) apart += 1
    else if (came !== null) {
      run.wantsCode = came.wantsCode
      return `It stopped at line ${line.number}: ${came.why}`
    }
    run.done += 1
  }
  return apart === 0 ? '' : apartWords(apart)
}
