import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { BANK_REFERENCE_MAX_CHARS } from '#lib/deposits/index.ts'
import { bankLock, foldBankReference } from '#lib/deposits/server.ts'
import type { Session } from '#lib/session/session.ts'
import type { ColumnMapping } from '#lib/statements/file/csv.ts'
import type { ReadFile } from '#lib/statements/file/read-file.ts'
import { readInWorker } from '#lib/statements/file/read-in-worker.ts'
import type { StatementLine } from '#lib/statements/file/statement.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { withoutInvisible } from '#lib/values/visible-text.ts'
import { rememberedMapping, rememberMapping } from './mapping.ts'
import { recordFile } from './record.ts'
import { findSeen, findStatementOf, insertStatement, type NewStatementLine, type Seen } from './statement-table.ts'

const FILE_NAME_MAX_CHARS = 200
/** The one character that the store cannot hold. */
const NUL = '\u0000'
/** So many lines are worked on before others have their turn. */
const LINES_AT_ONCE = 250

export interface GivenFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** Null when the person has mapped nothing now. */
  readonly mapping: ColumnMapping | null
}

/** `already`: this very file was taken before. Of anything but a whole file nothing is taken. */
export type Imported =
  | { readonly kind: 'imported'; readonly id: string; readonly already: boolean }
  | Exclude<ReadFile, { kind: 'whole' }>

/**
 * Takes a bank's file, all of it or nothing. The same file again leads to the statement that it made before. A line that
 * an earlier statement has is set aside, with where it was seen. The file is read in a thread of its own; throws `FileTooHard`
 * when that takes more than any statement does.
 */
export async function importStatement(session: Session, { name, bytes, mapping }: GivenFile): Promise<Imported> {
  const db = await store()
  const digest = createHash('sha256').update(bytes).digest('hex')
  const before = await findStatementOf(db, digest)
  if (before !== undefined) return { kind: 'imported', id: before.id, already: true }

  const first = await readInWorker(bytes, mapping)
  const kept = first.kind === 'columns' ? await rememberedMapping(session, first.head.columns) : null
  const read = kept === null ? first : await readInWorker(bytes, kept)
  if (read.kind !== 'whole') return read
  if (read.head !== null && mapping !== null) await rememberMapping(session, read.head.columns, mapping)

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
  }
  const lines = await newLines(id, read.lines)
  const onRecord = (trx: Trx) => recordFile(trx, 'statement.import', session, { ...statement, lines: lines.length })
  if (await insertStatement(db, statement, lines, onRecord)) return { kind: 'imported', id, already: false }
  const other = await findStatementOf(db, digest)
  if (other === undefined) throw new Error('a statement was there and is gone')
  return { kind: 'imported', id: other.id, already: true }
}

/** The identity of a payment: lines that are alike in all of this are one payment. Migration 0044 has a copy. */
const fingerprintOf = ({ bankReference, amount, currency, reference, bookedOn, text }: StatementLine): string => {
  const [written, described] = [withoutInvisible(reference), withoutInvisible(text)]
  return createHash('sha256')
    .update(JSON.stringify([foldBankReference(bankReference), amount, currency, written, bookedOn, described]))
    .digest('hex')
}

/** The bank's reference and the lock that its confirmation takes; no lock if it cannot confirm anything. */
export function bankUse(bankReference: string): { readonly bank_used: string; readonly bank_key: string | null } {
  const chars = [...withoutInvisible(bankReference).trim()].length
  const usable = chars > 0 && chars <= BANK_REFERENCE_MAX_CHARS
  return { bank_used: bankReference, bank_key: usable ? bankLock(bankReference) : null }
}

async function newLines(statementId: string, lines: readonly StatementLine[]): Promise<NewStatementLine[]> {
  const made: NewStatementLine[] = []
  for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
    const part = lines.slice(start, start + LINES_AT_ONCE)
    const fingerprints = part.map(fingerprintOf)
    const seen = await seenBefore(fingerprints)
    for (const [at, line] of part.entries()) {
      const fingerprint = fingerprints[at] ?? ''
      made.push(
        newLine({ statement_id: statementId, number: start + at + 1 }, line, {
          fingerprint,
          before: seen.get(fingerprint),
        }),
      )
    }
    await othersTurn()
  }
  return made
}

interface FoundOut {
  readonly fingerprint: string
  /** Where an earlier statement has it. */
  readonly before: Seen | undefined
}

const newLine = (
  at: { readonly statement_id: string; readonly number: number },
  line: StatementLine,
  { fingerprint, before }: FoundOut,
): NewStatementLine => ({
  ...at,
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
  sought: line.reference,
  sought_from: 'field',
  ...bankUse(line.bankReference),
  verdict: 'unread',
  set_aside_reason: before === undefined ? null : `It stands in an earlier statement, as line ${before.number}.`,
})

async function seenBefore(fingerprints: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
  const seen = await findSeen(await store(), [...new Set(fingerprints)])
  return new Map(seen.map((line) => [line.fingerprint, line]))
}
