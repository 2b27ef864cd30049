import { type StartedRun, startConfirming } from '#lib/intake/confirm-run.ts'
import { startLookUp } from '#lib/intake/look-up.ts'
import { takeStatement } from '#lib/intake/take.ts'
import { readStatement, type StatementPage } from '#lib/intake/view.ts'
import type { Session } from '#lib/session/session.ts'
import type { ColumnMapping } from '#lib/statement/csv.ts'

export const MAPPING: ColumnMapping = {
  reference: 'Ref',
  amount: 'Amount',
  bankReference: 'Bank ref',
  bookedOn: null,
  currency: null,
  text: 'Text',
  decimalMark: 'point',
}

export interface TestLine {
  readonly reference?: string
  readonly amount?: string
  readonly bank?: string
  readonly text?: string
}

let counted = 0

/** A table of a bank; every line has a bank reference of its own unless it says which. */
export function csvOf(lines: readonly TestLine[]): Uint8Array {
  const rows = lines.map(({ reference = '', amount = '10.00', bank, text = '' }) => {
    counted += 1
    return [reference, amount, bank ?? `ATL-${process.pid}-${counted}`, text].join(',')
  })
  return Buffer.from(['Ref,Amount,Bank ref,Text', ...rows].join('\n'))
}

/** Takes a file that must be right; answers the statement's id. */
export async function takeForTest(session: Session, bytes: Uint8Array): Promise<string> {
  const taken = await takeStatement(session, { name: 'July.csv', bytes, mapping: MAPPING })
  if (taken.kind !== 'taken') throw new Error(JSON.stringify(taken))
  return taken.id
}

/** Takes a file and looks its lines up. */
export async function takenAndRead(session: Session, bytes: Uint8Array): Promise<string> {
  const id = await takeForTest(session, bytes)
  await toItsEnd((detach) => startLookUp(session, id, detach))
  return id
}

export async function pageOf(id: string): Promise<StatementPage> {
  const page = await readStatement(id, { standing: null, page: 1, size: 100 })
  if (page === null) throw new Error('the statement is gone')
  return page
}

export const standingsOf = async (id: string): Promise<readonly string[]> =>
  (await pageOf(id)).lines.map(({ standing }) => standing)

/** Confirms what is ready, to the end of the run. */
export async function confirmForTest(session: Session, id: string): Promise<StartedRun> {
  const { seal } = (await pageOf(id)).ready
  return await toItsEnd((detach) => startConfirming(session, id, { seal, code: null }, detach))
}

/** Starts something that detaches itself, and waits for it. */
export async function toItsEnd<Value>(
  start: (detach: (running: Promise<unknown>) => void) => Promise<Value>,
): Promise<Value> {
  const running: Promise<unknown>[] = []
  const value = await start((promise) => void running.push(promise))
  await Promise.all(running)
  return value
}
