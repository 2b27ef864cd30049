import type { Session } from '#lib/session/session.ts'
import { type StartedRun, startConfirming } from '#lib/statements/confirm-lines.ts'
import { readPackedFile } from '#lib/statements/file/read-file.ts'
import type { ColumnMapping } from '#lib/statements/file/statement.ts'
import { importStatement } from '#lib/statements/import.ts'
import { startMatching } from '#lib/statements/match-lines.ts'
import { readStatement, type StatementPage } from '#lib/statements/view.ts'

export const MAPPING: ColumnMapping = {
  headings: true,
  reference: 0,
  amount: 1,
  bankReference: 2,
  bookedOn: null,
  currency: null,
  text: 3,
  decimalMark: null,
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

/** Imports a file that must be right; answers the statement's id. */
export async function importForTest(session: Session, bytes: Uint8Array, mapping = MAPPING): Promise<string> {
  const file = { name: 'July.csv', bytes, mapping, reason: '', replaces: null }
  // A thread for each file takes most of a test's time.
  const read = await importStatement(session, { ...file, seal: null }, readPackedFile)
  if (read.kind === 'imported') return read.id
  if (read.kind !== 'preview') throw new Error(JSON.stringify(read))
  const imported = await importStatement(session, { ...file, seal: read.preview.seal }, readPackedFile)
  if (imported.kind !== 'imported') throw new Error(JSON.stringify(imported))
  return imported.id
}

/** Imports a file and looks its lines up. */
export async function importedAndRead(session: Session, bytes: Uint8Array, mapping = MAPPING): Promise<string> {
  const id = await importForTest(session, bytes, mapping)
  await toItsEnd((detach) => startMatching(session, id, detach))
  return id
}

export async function pageOf(id: string): Promise<StatementPage> {
  const page = await readStatement(id, { status: null, page: 1, size: 100 })
  if (page === null) throw new Error('the statement is gone')
  return page
}

export const statusesOf = async (id: string): Promise<readonly string[]> =>
  (await pageOf(id)).lines.map(({ status }) => status)

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
