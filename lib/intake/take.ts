import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { bankLock } from '#lib/commands/deposit-confirm.ts'
import { BANK_REFERENCE_MAX_CHARS } from '#lib/domain/deposit.ts'
import type { Session } from '#lib/session/session.ts'
import { type ColumnMapping, type CsvHead, readCsvHead } from '#lib/statement/csv.ts'
import { formatOf, parseStatement } from '#lib/statement/parse.ts'
import { FAULTS_MAX, FILE_MAX_BYTES, type FileFault, type StatementLine } from '#lib/statement/statement.ts'
import { textOf } from '#lib/statement/text-of.ts'
import {
  findSeen,
  findStatementOf,
  insertStatement,
  knownReferences,
  type NewStatementLine,
  type Seen,
} from '#lib/store/statements.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { rememberedMapping, rememberMapping } from './mapping.ts'
import { recordFile } from './record.ts'

const FILE_NAME_MAX_CHARS = 200
/** The one character that the store cannot hold. */
const NUL = '\u0000'
/** So many texts are looked for in one query. */
const SOUGHT_AT_ONCE = 5_000

export interface GivenFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** Null when the person has mapped nothing now. */
  readonly mapping: ColumnMapping | null
}

export type Taken =
  /** `already`: this very file was taken before. */
  | { readonly kind: 'taken'; readonly id: string; readonly already: boolean }
  /** A table whose columns nobody has mapped yet. */
  | { readonly kind: 'columns'; readonly head: CsvHead }
  /** Nothing of it was taken. `head`: of a table, so that its columns can be mapped anew. */
  | { readonly kind: 'broken'; readonly faults: readonly FileFault[]; readonly head: CsvHead | null }

/**
 * Takes a bank's file, all of it or nothing. The same file again leads to the statement that it made before. A line that
 * an earlier statement has is parked, with where it was seen.
 */
export async function takeStatement(session: Session, { name, bytes, mapping }: GivenFile): Promise<Taken> {
  if (bytes.length === 0) return { kind: 'broken', faults: [{ place: null, what: 'The file is empty.' }], head: null }
  const db = await store()
  const digest = createHash('sha256').update(bytes).digest('hex')
  const before = await findStatementOf(db, digest)
  if (before !== undefined) return { kind: 'taken', id: before.id, already: true }

  const head = bytes.length > FILE_MAX_BYTES ? null : headOf(bytes)
  if (head !== null && 'what' in head) return { kind: 'broken', faults: [head], head: null }
  const mapped = mapping ?? (head === null ? null : await rememberedMapping(session, head.columns))
  if (head !== null && mapped === null) return { kind: 'columns', head }
  const parsed = parseStatement(bytes, mapped)
  const faults = parsed.ok ? unstorable(parsed.lines) : parsed.faults
  if (!parsed.ok || faults.length > 0) return { kind: 'broken', faults, head }
  if (head !== null && mapping !== null) await rememberMapping(session, head.columns, mapping)

  const id = randomUUID()
  const statement = {
    id,
    owner: session.actor,
    owner_name: session.displayName,
    file_name: [...name.replaceAll(NUL, '')].slice(0, FILE_NAME_MAX_CHARS).join('') || 'statement',
    digest,
    format: parsed.format,
    taken_at: new Date().toISOString(),
    left_out: parsed.leftOut,
  }
  const lines = await newLines(id, parsed.lines)
  const onRecord = (trx: Trx) => recordFile(trx, 'statement.take', session, { ...statement, lines: lines.length })
  if (await insertStatement(db, statement, lines, onRecord)) return { kind: 'taken', id, already: false }
  const other = await findStatementOf(db, digest)
  if (other === undefined) throw new Error('a statement was there and is gone')
  return { kind: 'taken', id: other.id, already: true }
}

/** The columns and first rows of a table; null for other formats. */
function headOf(bytes: Uint8Array): CsvHead | FileFault | null {
  const text = textOf(bytes)
  return formatOf(text) === 'csv' ? readCsvHead(text) : null
}

const unstorable = (lines: readonly StatementLine[]): FileFault[] =>
  lines
    .filter((line) => Object.values(line).some((value) => String(value).includes(NUL)))
    .slice(0, FAULTS_MAX)
    .map(({ place }) => ({ place, what: 'There is a NUL character in this line, which no text has.' }))

/** Tells payments apart: two that are alike in all of this are one payment for whoever looks at a statement. */
const fingerprintOf = ({ bankReference, amount, currency, reference, bookedOn, text }: StatementLine): string =>
  createHash('sha256')
    .update(JSON.stringify([bankReference, amount, currency, reference, bookedOn, text]))
    .digest('hex')

/** The bank's reference and the lock that it stands for; none where it cannot confirm anything. */
export function bankUse(bankReference: string): { readonly bank_used: string; readonly bank_key: string | null } {
  const usable = bankReference.trim() !== '' && [...bankReference.trim()].length <= BANK_REFERENCE_MAX_CHARS
  return { bank_used: bankReference, bank_key: usable ? bankLock(bankReference) : null }
}

async function newLines(statementId: string, lines: readonly StatementLine[]): Promise<NewStatementLine[]> {
  const fingerprints = lines.map(fingerprintOf)
  const [seen, known] = await Promise.all([seenBefore(fingerprints), knownWords(lines)])
  return lines.map((line, index) => {
    const fingerprint = fingerprints[index] ?? ''
    const before = seen.get(fingerprint)
    const told = line.reference === '' ? knownIn(line.text, known) : null
    return {
      statement_id: statementId,
      number: index + 1,
      place: line.place,
      reference: line.reference,
      amount: line.amount,
      currency: line.currency,
      bank_reference: line.bankReference,
      booked_on: line.bookedOn,
      text: line.text,
      fingerprint,
      seen_statement: before?.statement_id ?? null,
      seen_number: before?.number ?? null,
      sought: told ?? line.reference,
      sought_from: told === null ? 'field' : 'text',
      ...bankUse(line.bankReference),
      verdict: 'unread',
      parked_reason: before === undefined ? null : `It stands in an earlier statement, as line ${before.number}.`,
    }
  })
}

async function seenBefore(fingerprints: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
  const seen = await findSeen(await store(), [...new Set(fingerprints)])
  return new Map(seen.map((line) => [line.fingerprint, line]))
}

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Of the words of free texts, those that are references which this console knows, whole. */
async function knownWords(lines: readonly StatementLine[]): Promise<ReadonlySet<string>> {
  const words = [
    ...new Set(lines.flatMap(({ reference, text }) => (reference === '' ? [text.trim(), ...wordsOf(text)] : []))),
  ]
  const known = new Set<string>()
  for (let start = 0; start < words.length; start += SOUGHT_AT_ONCE) {
    for (const word of await knownReferences(await store(), words.slice(start, start + SOUGHT_AT_ONCE))) known.add(word)
  }
  return known
}

/** The one known reference that a text has; null when it has none, or more than one. */
function knownIn(text: string, known: ReadonlySet<string>): string | null {
  const found = [...new Set([text.trim(), ...wordsOf(text)])].filter((word) => word !== '' && known.has(word))
  return found.length === 1 ? (found[0] ?? null) : null
}
