import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { findLeftDrafts, findReady, type ReadyLine, readyTotal } from '#lib/store/statement-lines.ts'
import { store } from '#lib/store/store.ts'
import { confirmLine, unbind } from './confirm-line.ts'
import { type Detach, type Run, startWork, workOn } from './work.ts'

export type StartedRun = 'started' | 'busy' | 'changed'

/**
 * Confirms the ready lines of a statement one by one, detached from who asked. `seal` stands for the lines that the
 * person was shown: when others are ready now, nothing starts. A line that a command was sent for is never sent again;
 * drafts that an earlier run left behind are taken back first.
 */
export async function startConfirming(
  session: Session,
  statementId: string,
  seal: string,
  detach: Detach,
): Promise<StartedRun> {
  const db = await store()
  const going = await workOn(statementId)
  if (going?.work != null && going.alive) return 'busy'
  const ready = await readyTotal(db, statementId)
  if (ready.count === 0 || ready.seal !== seal) return 'changed'
  const lines = await findReady(db, statementId)
  const run = (run: Run) => confirmAll(session, run, lines)
  return (await startWork(session, statementId, { work: 'confirm', total: lines.length, run }, detach))
    ? 'started'
    : 'busy'
}

async function confirmAll(session: Session, run: Run, lines: readonly ReadyLine[]): Promise<string> {
  const { statementId, token } = run
  for (const { number, commandId } of await findLeftDrafts(await store(), statementId)) {
    await unbind({ statementId, number }, commandId)
  }
  for (const line of lines) {
    if (!(await run.goesOn())) return `It was stopped after ${run.done} of ${lines.length}.`
    const why = await confirmLine({ session, statementId, token, goesOn: run.goesOn }, line)
    if (why !== null) return `It stopped at line ${line.number}: ${why}`
    run.done += 1
  }
  return ''
}
