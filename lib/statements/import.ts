import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { hasRoom } from '#lib/commands/rate-limit.ts'
import { BANK_REFERENCE_MAX_CHARS, bankLock, foldBankReference } from '#lib/deposits/deposit.ts'
import type { Session } from '#lib/session/session.ts'
import { readInWorker } from '#lib/statements/file/read-in-worker.ts'
import { store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { withoutInvisible } from '#lib/values/text.ts'
import { chainWarnings } from './chain-warnings.ts'
import { moneyOf } from './file/amount-text.ts'
import { debitKey } from './file/returned.ts'
import type { ColumnMapping, Debit, ReadFile, StatementLine, TableView } from './file/statement.ts'
import { decidedMark } from './file/table.ts'
import { findBefore } from './find-before.ts'
import { keepDebits } from './kept-debits.ts'
import { discardForMapping, keepFile } from './kept-file.ts'
import { rememberedMapping, rememberMapping } from './remembered-mapping.ts'
import {
  compareReturns,
  type EarlierReturn,
  findEarlierReturns,
  findReturnedBefore,
  findReturnsOf,
  placed,
  type RepeatedReturn,
  type ReturnedLine,
  setAsideReturned,
} from './returned-before.ts'
import { restoreStatement } from './statement-list.ts'
import { findStatementOf, insertStatement, type NewStatementLine, recordFile, type Seen } from './statement-table.ts'
import { type ImportAnswer, type ImportPreview, reasonFault } from './statement-view.ts'

const FILE_NAME_MAX_CHARS = 200
const NUL = '\u0000'

export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly mapping: ColumnMapping | null
  /** The seal of the confirmed preview; null requests a preview. */
  readonly seal: string | null
  /** Why the file is imported in spite of its warnings; may be empty. */
  readonly reason: string
  /** The statement of this file whose columns are mapped again, or null. */
  readonly replaces: string | null
}

/** Without a seal, a preview: nothing is stored. Warnings need a reason. Throws `FileTooHard`, `TooManyChanges`. */
export async function importStatement(
  session: Session,
  upload: UploadedFile,
  readFile: FileReader = readInWorker,
): Promise<ImportAnswer> {
  const { name, bytes, seal, reason, replaces } = upload
  const digest = createHash('sha256').update(bytes).digest('hex')
  const before = await findStatementOf(await store(), digest)
  if (before !== undefined && before.id !== replaces) return { kind: 'imported', id: before.id, already: true }
  const isAgain = before !== undefined
  // Another statement in `replaces` is compared like all.
  const except = before?.id ?? null
  const mapped = await readMapped(session, upload, { readFile, isAgain })
  if (mapped.kind !== 'whole') return mapped
  const db = await store()
  const compared = await statementsNow(db, except)
  const repeated = await findRepeatedReturns(db, mapped, except)
  const returned = await findReturnedBefore(db, { debits: mapped.debits, repeated }, except)
  const again = [...(await findReturnsOf(db, digest)).values()]
  const used = again.flatMap(({ set_aside_reason, returned_key }) => (set_aside_reason && returned_key) || [])
  const earlier = await findEarlierReturns(db, mapped.lines, { except, used })
  const remarks = [...returned.remarks, ...earlier.remarks]
  const read = withWarnings(
    mapped,
    [...(await chainWarnings(db, mapped.accounts)), ...returned.warnings, ...earlier.warnings],
    isAgain ? [REPLACES, ...remarks] : remarks,
  )
  const preview = previewOf(digest, read)
  if (seal !== preview.seal) return { kind: 'preview', preview: { ...preview, isChanged: seal !== null } }
  const { warnings } = read.summary
  if (warnings.length > 0 && !isReason(reason)) return { kind: 'preview', preview: { ...preview, isChanged: false } }
  if (read.head !== null && read.mapping !== null) await rememberMapping(session, read.head, read.mapping)
  const fault = isAgain ? await discardForMapping(session, before.id) : null
  if (fault !== null) return { kind: 'broken', faults: [{ place: null, what: fault }], head: null, draft: null }
  const kept = read.head === null ? null : bytes
  const accepted = warnings.length > 0 ? reason.trim() : ''
  const all = [...mapped.debits, ...mapped.returns.map(({ debit }) => debit)]
  const debits = all.filter((debit) => !returned.warned.has(debit))
  const found = { returned: returned.lines, earlier: earlier.lines, debits }
  const given = { name, digest, kept, reason: accepted, ...found, compared, except }
  try {
    return await storeStatement(session, given, read)
  } catch (error) {
    if (isAgain) await restoreStatement(session, before.id)
    if (error instanceof ImportedMeanwhile) return await importStatement(session, upload, readFile)
    if (!(error instanceof PaymentConfirmed)) throw error
    return await importStatement(session, { ...upload, seal: '' }, readFile)
  }
}

class PaymentConfirmed extends Error {}
class ImportedMeanwhile extends Error {}
export class TooManyChanges extends Error {}

/** Changes with each statement that is imported, discarded or restored, but for `except`. */
async function statementsNow(db: Kysely<Tables>, except: string | null): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    SELECT md5(string_agg(concat_ws(' ', id, discarded_at), ',' ORDER BY id)) AS now
    FROM statement WHERE id IS DISTINCT FROM ${except}`.execute(db)
  return rows[0]?.now ?? ''
}

const REPLACES = 'This replaces the statement that was imported before. Edits of its lines are discarded with it.'

function withWarnings(read: WholeFile, moreWarnings: readonly string[], moreRemarks: readonly string[]): WholeFile {
  const faults = (texts: readonly string[]) => texts.map((what) => ({ place: null, what }))
  const { warnings, remarks } = read.summary
  const summary = {
    ...read.summary,
    warnings: [...warnings, ...faults(moreWarnings)],
    remarks: [...remarks, ...faults(moreRemarks)],
  }
  return { ...read, summary }
}

const isReason = (reason: string): boolean => reasonFault(reason, 'missing') === null && !reason.includes(NUL)

type FileReader = (bytes: Uint8Array, mapping: ColumnMapping | null) => Promise<ReadFile>
type WholeFile = Extract<ReadFile, { kind: 'whole' }> & { readonly mapping: ColumnMapping | null }
type Unread = Extract<ImportAnswer, { kind: 'columns' | 'broken' }>

async function readMapped(
  session: Session,
  { bytes, mapping }: UploadedFile,
  { readFile, isAgain }: { readonly readFile: FileReader; readonly isAgain: boolean },
): Promise<WholeFile | Unread> {
  const first = await readFile(bytes, mapping)
  if (first.kind === 'whole') return { ...first, mapping: asRead(first.head, mapping) }
  if (first.kind === 'broken') return { ...first, draft: null }
  const remembered = await rememberedMapping(session, first.head)
  if (remembered === null) return { ...first, why: null }
  if (isAgain || !remembered.fits)
    return { kind: 'columns', head: first.head, draft: remembered.draft, why: isAgain ? null : remembered.why }
  const again = await readFile(bytes, remembered.mapping)
  if (again.kind === 'whole') return { ...again, mapping: asRead(again.head, remembered.mapping) }
  return again.kind === 'broken' ? { ...again, draft: remembered.mapping } : { ...again, why: null }
}

function asRead(head: TableView | null, mapping: ColumnMapping | null): ColumnMapping | null {
  if (head === null || mapping === null) return mapping
  return { ...mapping, decimalMark: mapping.decimalMark ?? decidedMark(head.marks[mapping.amount]) }
}

/** The seal covers the file, its mapping, every line as read, and the warnings. */
function previewOf(
  digest: string,
  { format, lines, linesDigest, leftOut, accounts, summary, mapping, head }: WholeFile,
): Omit<ImportPreview, 'isChanged'> {
  const seal = createHash('sha256')
    .update(JSON.stringify([digest, mapping, linesDigest, summary.counts, summary.warnings]))
    .digest('hex')
  return { seal, format, lines: lines.length, leftOut, accounts, summary, mapping, head }
}

interface ImportInput {
  readonly name: string
  readonly digest: string
  /** The bytes of a table. */
  readonly kept: Uint8Array | null
  readonly reason: string
  readonly returned: readonly ReturnedLine[]
  readonly earlier: ReadonlyMap<number, EarlierReturn>
  /** To keep. */
  readonly debits: readonly Debit[]
  /** {@link statementsNow} before the comparison. */
  readonly compared: string
  readonly except: string | null
}

async function storeStatement(
  session: Session,
  { name, digest, kept, reason, returned, earlier, debits, compared, except }: ImportInput,
  read: WholeFile,
): Promise<ImportAnswer> {
  const db = await store()
  const id = randomUUID()
  const statement = {
    id,
    owner: session.actor,
    owner_name: session.displayName,
    file_name: [...name.replaceAll(NUL, '')].slice(0, FILE_NAME_MAX_CHARS).join('') || 'statement',
    digest,
    format: read.format,
    taken_at: new Date().toISOString(),
    left_out: read.leftOut,
    accounts: JSON.stringify(read.accounts),
  }
  const accepted = read.summary.warnings.map(({ what }) => what)
  const counted = { ...statement, lines: read.lines.length, accepted, reason }
  const onRecord = async (trx: Trx) => {
    await recordFile(trx, 'statement.import', session, counted)
    if ((await setAsideReturned(trx, session, returned, id)).length > 0) throw new PaymentConfirmed()
    if (kept !== null) await keepFile(trx, id, kept)
    await keepDebits(trx, id, debits)
    // Other payments count since its discard, or a repeat was to be set aside.
    if (except !== null || earlier.size > 0) await compareReturns(trx, session, id)
  }
  const linesOf = async (trx: Trx) => {
    if (!(await hasRoom(trx, session.actor))) throw new TooManyChanges()
    if ((await statementsNow(trx, except)) !== compared) throw new ImportedMeanwhile()
    return await newLines(trx, { id, digest, earlier }, read)
  }
  if (await insertStatement(db, statement, linesOf, onRecord)) return { kind: 'imported', id, already: false }
  const other = await findStatementOf(db, digest)
  if (other === undefined) throw new Error('a statement was there and is gone')
  return { kind: 'imported', id: other.id, already: true }
}

/** Equal for one payment in any format; equal payments of one day may share it. A change needs a migration. */
const fingerprintOf = (line: StatementLine, text = line.text): string => {
  const { bankReference, amount, currency, reference, bookedOn } = line
  const bank = foldBankReference(bankReference)
  const described = bank === '' ? [withoutInvisible(reference), withoutInvisible(text)] : []
  return createHash('sha256')
    .update(JSON.stringify([bank, moneyOf(amount).toExact(), currency || 'BZD', bookedOn, ...described]))
    .digest('hex')
}

/** `bank_key` is the lock of the confirmation; null if the reference cannot confirm a deposit. */
export function bankUse(bankReference: string): { readonly bank_used: string; readonly bank_key: string | null } {
  const chars = [...withoutInvisible(bankReference).trim()].length
  const usable = chars > 0 && chars <= BANK_REFERENCE_MAX_CHARS
  return { bank_used: bankReference, bank_key: usable ? bankLock(bankReference) : null }
}

const printed = (line: StatementLine) => ({
  ...line,
  fingerprint: fingerprintOf(line),
  former: fingerprintOf(line, line.keyText),
})

async function newLines(
  trx: Trx,
  { id, digest, earlier }: Pick<ImportInput, 'digest' | 'earlier'> & { readonly id: string },
  { lines, returns: own }: WholeFile,
): Promise<NewStatementLine[]> {
  const made: NewStatementLine[] = []
  const ownKeys = new Map(own.map((one) => [one.at, debitKey(one.debit)]))
  const [returns, at] = [await findReturnsOf(trx, digest), placed()]
  for await (const { line, before } of findBefore(trx, lines, printed)) {
    const one = newLine({ statement_id: id, number: made.length + 1 }, line, before)
    const again = returns.get(at(line.place))
    const kept = returnOf(earlier.get(made.length)) ?? again
    const returned_key = ownKeys.get(made.length) ?? null
    made.push(one.set_aside_reason === null ? { ...one, ...kept } : { ...one, returned_key })
  }
  return made
}

const returnOf = (earlier: EarlierReturn | undefined) =>
  earlier && {
    set_aside_reason: earlier.reason,
    returned_statement: earlier.statement_id,
    returned_key: earlier.key,
  }

/** Payments that went back in the file, and that an earlier statement, but for `except`, has too. */
async function findRepeatedReturns(
  db: Kysely<Tables>,
  { lines, returns }: WholeFile,
  except: string | null,
): Promise<readonly RepeatedReturn[]> {
  const returned = returns.flatMap(({ at, debit }) => {
    const line = lines[at]
    return line === undefined ? [] : [{ line, debit }]
  })
  const repeated: RepeatedReturn[] = []
  for await (const { line, before } of findBefore(db, returned, ({ line, debit }) => ({ ...printed(line), debit }))) {
    if (before === undefined || before.statement_id === except) continue
    if (before.set_aside_reason !== null && (except === null || before.returned_statement !== except)) continue
    repeated.push({ ...before, debit: line.debit })
  }
  return repeated
}

const newLine = (
  at: { readonly statement_id: string; readonly number: number },
  line: ReturnType<typeof printed>,
  before: Seen | undefined,
): NewStatementLine => ({
  ...at,
  place: line.place,
  reference: line.reference,
  amount: line.amount,
  currency: line.currency,
  bank_reference: line.bankReference,
  booked_on: line.bookedOn,
  value_date: line.valueDate,
  account: line.account,
  payer_name: line.payerName,
  payer_account: line.payerAccount,
  text: line.text,
  fingerprint: line.fingerprint,
  seen_statement: before?.statement_id ?? null,
  seen_number: before?.number ?? null,
  sought: line.reference,
  sought_from: 'field',
  ...bankUse(line.bankReference),
  verdict: 'unread',
  returned: line.returned,
  set_aside_reason:
    before === undefined ? line.returned || null : `Already in an earlier statement, line ${before.number}.`,
})
