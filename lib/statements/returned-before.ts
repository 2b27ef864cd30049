import 'server-only'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { type Kysely, type Selectable, sql } from 'kysely'
import { refusedUnsent } from '#lib/commands/command.ts'
import { moveIn } from '#lib/commands/store.ts'
import { bankLock } from '#lib/deposits/deposit.ts'
import type { Session } from '#lib/session/session.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { visibleText } from '#lib/values/text.ts'
import { isDay } from '#lib/values/time.ts'
import { formatCount } from '#lib/values/words.ts'
import { debitKey, findNamed, isKeyOf, mayTakeBack, moneyKey, namesOf, wentBack } from './file/returned.ts'
import type { Debit } from './file/statement.ts'
import { findBefore } from './find-before.ts'
import { countKnownReturns, findDebitsOf, findOpenDebits, type KeptDebit } from './kept-debits.ts'
import { lockLine } from './line-changes.ts'
import { changeLine } from './line-table.ts'
import { findConfirmation } from './shown-lines.ts'
import {
  type EarlierPayment,
  findOpenPayments,
  findPaymentsOf,
  findSeenOf,
  findStatement,
  type NewStatementLine,
  recordEdit,
  type Seen,
} from './statement-table.ts'

export interface ReturnedLine {
  readonly statement_id: string
  readonly number: number
  readonly reason: string
  readonly key: string
}

interface ReturnedBefore {
  readonly lines: readonly ReturnedLine[]
  readonly remarks: readonly string[]
  /** Payments that were confirmed, or may have been. */
  readonly warnings: readonly string[]
  readonly warned: ReadonlySet<Debit>
  readonly confirmed: readonly Place[]
}

type Place = Pick<ReturnedLine, 'statement_id' | 'number'>

/** A payment of an earlier statement that went back in this file. */
export interface RepeatedReturn extends Place {
  readonly file_name: string
  readonly debit: Debit
}

const CONFIRMED = 'but its deposit was confirmed or may have been. Check the deposit.'

/** A bank may recall a payment for 13 months. */
const RECALLED_MS = 400 * 24 * 60 * 60_000

const named = (payment: EarlierPayment) => ({
  ...payment,
  names: namesOf({ ...payment, bankReference: payment.bank_reference }),
})

/** Payments of earlier statements, but for `except`, that debits of a file took back. */
export async function findReturnedBefore(
  db: Kysely<Tables>,
  { debits, repeated }: { readonly debits: readonly Debit[]; readonly repeated: readonly RepeatedReturn[] },
  except: string | null,
): Promise<ReturnedBefore> {
  const [lines, confirmed, warned]: [ReturnedLine[], Place[], Set<Debit>] = [[], [], new Set()]
  const [remarks, warnings]: [string[], string[]] = [[], []]
  const found = { lines, confirmed, warned, remarks, warnings }
  const tell = async ({ statement_id, number, file_name }: Omit<RepeatedReturn, 'debit'>, debit: Debit) => {
    const what = `The payment on line ${formatCount(number)} of ${visibleText(file_name)} went back (${debit.where})`
    const confirmation = await findConfirmation(db, statement_id, number)
    if (confirmation?.mayBeConfirmed === false) {
      const reason = `The money went back: ${wentBack(debit)} in a later statement.`
      lines.push({ statement_id, number, reason, key: debitKey(debit) })
      const end = confirmation.isPrepared ? ' Its confirmation, not sent yet, ends.' : ''
      remarks.push(`${what}. The line will be set aside.${end}`)
    } else {
      warned.add(debit)
      confirmed.push({ statement_id, number })
      warnings.push(`${what}, ${CONFIRMED}`)
    }
  }
  for (const { debit, ...payment } of repeated) await tell(payment, debit)
  if (debits.length === 0) return found
  const amounts = [...new Set(debits.map(({ amount }) => amount))]
  const since = new Date(Date.now() - RECALLED_MS).toISOString()
  const byMoney = Map.groupBy((await findPaymentsOf(db, amounts, { since, except })).map(named), moneyKey)
  const known = await countKnownReturns(db, debits.map(debitKey), except)
  const taken = new Set<EarlierPayment>()
  for (const debit of debits) {
    await othersTurn()
    const left = known.get(debitKey(debit)) ?? 0
    if (left > 0) {
      known.set(debitKey(debit), left - 1)
      continue
    }
    const equal = byMoney.get(moneyKey(debit)) ?? []
    const payment = findNamed(
      debit,
      equal.filter((one) => one.statement_id !== except && !taken.has(one) && mayTakeBack(debit, one.booked_on)),
    )
    if (payment === undefined) continue
    taken.add(payment)
    // A person put it back.
    if (payment.returned_statement === null && isKeyOf(debit, payment.returned_key)) continue
    await tell(payment, debit)
  }
  return found
}

type NewPayment = Pick<Selectable<Tables['statement_line']>, 'account' | 'currency' | 'amount' | 'reference'> & {
  readonly bankReference: string
  readonly bookedOn: string
  /** By a debit of the same file; not empty if it was. */
  readonly returned?: string
}

export type EarlierReturn = Pick<KeptDebit, 'statement_id' | 'key'> & { readonly reason: string }

interface EarlierReturns {
  /** By their place among the payments. */
  readonly lines: ReadonlyMap<number, EarlierReturn>
  readonly remarks: readonly string[]
  readonly warnings: readonly string[]
  /** Places of payments that were confirmed, or may have been. */
  readonly confirmed: readonly number[]
}

/** Payments that went back in statements, but for `except`, that were imported before. `used`: keys of other returns. */
export async function findEarlierReturns(
  db: Kysely<Tables>,
  payments: readonly NewPayment[],
  but: { readonly except: string | null; readonly used?: readonly string[] },
): Promise<EarlierReturns> {
  const numbered = payments.map((payment, at) => ({ ...payment, at, names: namesOf(payment) }))
  const dated = numbered.filter(({ names, bookedOn, returned }) => names.length > 0 && !returned && isDay(bookedOn))
  const byMoney = Map.groupBy(dated, moneyKey)
  const [found, remarks, warnings]: [Map<number, EarlierReturn | null>, string[], string[]] = [new Map(), [], []]
  for (const { debit: json, file_name, ...kept } of await findOpenDebits(db, 'money', [...byMoney.keys()], but)) {
    await othersTurn()
    const debit = JSON.parse(json) as Debit
    const isOpen = (one: (typeof dated)[number]) => one.bookedOn <= debit.bookedOn && !found.has(one.at)
    const payment = isDay(debit.bookedOn)
      ? findNamed(debit, (byMoney.get(moneyKey(debit)) ?? []).filter(isOpen))
      : undefined
    if (payment === undefined) continue
    const line = `The payment on line ${formatCount(payment.at + 1)} of this file`
    const what = `${line} went back (${debit.where} of ${visibleText(file_name)})`
    const mayBeConfirmed = await isPerhapsConfirmed(db, payment)
    if (mayBeConfirmed) warnings.push(`${what}, ${CONFIRMED}`)
    else remarks.push(`${what}. The line will be set aside.`)
    const reason = `The money went back: ${wentBack(debit)} in a statement that was imported before.`
    found.set(payment.at, mayBeConfirmed ? null : { ...kept, reason })
  }
  const lines = new Map([...found].flatMap(([at, one]) => (one === null ? [] : [[at, one] as const])))
  const confirmed = [...found].flatMap(([at, one]) => (one === null ? [at] : []))
  return { lines, remarks, warnings, confirmed }
}

/** Of a line that is not stored yet. */
async function isPerhapsConfirmed(db: Kysely<Tables>, { reference, bankReference }: NewPayment): Promise<boolean> {
  const keys = [bankLock(bankReference), `deposit:${reference}`]
  const { rows } = await sql<{ is: boolean }>`
    SELECT EXISTS (SELECT FROM command_lock WHERE key = ANY(${keys}::text[]))
      OR EXISTS (SELECT FROM state_seen seen WHERE reference = ${reference} AND state NOT IN ('QUEUED', 'FAIL')
        AND NOT (state = 'BLOCKED' AND EXISTS (SELECT FROM state_seen later
          WHERE later.reference = seen.reference AND later.state = 'QUEUED' AND later.seen_order > seen.seen_order)))
      OR EXISTS (SELECT FROM command WHERE target = ${reference} AND kind = 'deposit.confirm'
        AND state IN ('sent', 'unknown', 'accepted', 'done', 'applied')) AS is`.execute(db)
  return rows[0]?.is === true
}

const ENDED = JSON.stringify(refusedUnsent('The money went back', 'Nothing was sent.'))

/** Returns the lines whose payment was confirmed since, or may have been. `by`: the statement with the returns. */
export async function setAsideReturned(
  trx: Trx,
  session: Session,
  lines: readonly ReturnedLine[],
  by: string,
): Promise<readonly Place[]> {
  const left: Place[] = []
  for (const { statement_id, number, reason, key } of lines) {
    const at = { statementId: statement_id, number }
    const first = await findConfirmation(trx, statement_id, number)
    const bound = first?.command_id ?? null
    const end = { from: ['draft', 'awaiting_approval'], to: 'closed', outcome: ENDED } as const
    if (bound !== null) await moveIn(trx, bound, { ...end, note: { why: 'went back', statement: by } })
    // After the command is locked: it may have been sent meanwhile.
    const { mayBeConfirmed = true } = (bound === null ? first : await findConfirmation(trx, statement_id, number)) ?? {}
    if (!mayBeConfirmed && bound !== null) await changeLine(trx, { ...at, bound }, { command_id: null })
    const line = mayBeConfirmed ? undefined : await lockLine(trx, at)
    if (line === undefined) left.push({ statement_id, number })
    if (line === undefined || line.set_aside_reason !== null) continue
    const edit = { what: 'set-aside', old: '', new: reason, released: bound }
    const edit_id = await recordEdit(trx, session, line, edit)
    await changeLine(trx, at, { set_aside_reason: reason, edit_id, returned_statement: by, returned_key: key })
  }
  return left
}

/** Once the statement with the returns is discarded, but for those that another has. Leaves what a person has set aside since. */
export async function putBackReturned(trx: Trx, session: Session, by: string): Promise<readonly string[]> {
  const back = new Set<string>()
  const lines = await trx
    .selectFrom('statement_line')
    .select(['statement_id', 'number', 'returned_key'])
    .where('returned_statement', '=', by)
    .orderBy('statement_id')
    .orderBy('number')
    .execute()
  const keys = lines.flatMap(({ returned_key }) => returned_key ?? [])
  const listed = Map.groupBy(await findOpenDebits(trx, 'key', keys, { except: by }), ({ key }) => key)
  for (const { statement_id, number, returned_key } of lines) {
    const at = { statementId: statement_id, number }
    const line = await lockLine(trx, at)
    if (line === undefined || line.set_aside_reason === null || line.set_aside_by !== null) continue
    const other = listed.get(returned_key ?? '')?.shift()
    if (other !== undefined) {
      await changeLine(trx, at, { returned_statement: other.statement_id })
      continue
    }
    const edit = { what: 'put-back', old: line.set_aside_reason, new: '', released: null }
    const edit_id = await recordEdit(trx, session, line, edit)
    await changeLine(trx, at, { set_aside_reason: null, edit_id })
    back.add(statement_id)
  }
  return [...back]
}

const WENT_BACK = sql`'The money went back in a later statement.'`

/** Sets aside payments of this statement that went back, and others that went back in it. Words: those confirmed. */
export async function compareReturns(trx: Trx, session: Session, id: string): Promise<readonly string[]> {
  const { rows } = await sql<ReturnedLine>`
    SELECT statement_id, number, returned_key AS key, ${WENT_BACK} AS reason
    FROM statement_line JOIN statement ON id = statement_id AND discarded_at IS NULL
    WHERE returned_statement = ${id} ORDER BY statement_id, number`.execute(trx)
  const left = [...(await setAsideReturned(trx, session, rows, id))]
  const debits = (await findDebitsOf(trx, id)).map(({ debit }) => JSON.parse(debit) as Debit)
  const taken = await findReturnedBefore(trx, { debits, repeated: [] }, null)
  left.push(...taken.confirmed, ...(await setAsideReturned(trx, session, taken.lines, id)))
  const open = await findOpenPayments(trx, id)
  const { lines, confirmed } = await findEarlierReturns(trx, open, { except: id })
  const placeAt = (at: number): Place => ({ statement_id: id, number: open[at]?.number ?? 0 })
  left.push(...confirmed.map(placeAt))
  for (const [at, { statement_id: by, ...returned }] of lines)
    left.push(...(await setAsideReturned(trx, session, [{ ...returned, ...placeAt(at) }], by)))
  const words = left.map(async ({ statement_id, number }) => {
    const { file_name = '' } = (await findStatement(trx, statement_id)) ?? {}
    return `The payment on line ${formatCount(number)} of ${visibleText(file_name)} went back, ${CONFIRMED}`
  })
  return [...new Set(await Promise.all(words))]
}

type KeptReturn = Pick<NewStatementLine, 'set_aside_reason' | 'returned_statement' | 'returned_key'>

/** Of the discarded statement of the same file, for {@link placed} lines. */
export async function findReturnsOf(db: Kysely<Tables>, digest: string): Promise<ReadonlyMap<string, KeptReturn>> {
  const { rows } = await sql<KeptReturn & { readonly at: string }>`
    SELECT place || ' ' || (SELECT count(*) FROM statement_line AS one WHERE one.statement_id = line.statement_id
        AND one.place = line.place AND one.number <= line.number) AS at,
      CASE WHEN later.discarded_at IS NULL THEN ${WENT_BACK} END AS set_aside_reason, returned_statement, returned_key
    FROM statement_line AS line JOIN statement AS own ON own.id = line.statement_id
      JOIN statement AS later ON later.id = returned_statement
    WHERE own.digest = ${digest} AND own.discarded_at IS NOT NULL`.execute(db)
  return new Map(rows.map(({ at, ...kept }) => [at, kept]))
}

/** A place in the file may have several payments, and another mapping may skip lines. */
export function placed(): (place: number) => string {
  const counts = new Map<number, number>()
  return (place) => {
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    return `${place} ${count}`
  }
}

/** The line keeps a return of the payment that it repeated. */
const NO_REPEAT = sql`
  seen_statement = NULL, seen_number = NULL, (set_aside_reason, returned_statement, returned_key) = (
    SELECT CASE WHEN later.id IS NULL THEN nullif(line.returned, '') ELSE ${WENT_BACK} END,
      coalesce(gone.returned_statement, line.returned_statement), coalesce(gone.returned_key, line.returned_key)
    FROM (SELECT) AS one
      LEFT JOIN statement_line AS gone ON (gone.statement_id, gone.number) = (line.seen_statement, line.seen_number)
        AND gone.returned_statement IS NOT NULL AND line.returned = ''
      LEFT JOIN statement AS later ON later.id = gone.returned_statement AND later.discarded_at IS NULL)`

/** The first repeat of a discarded payment counts, and others repeat it. Returns statements with such lines. */
export async function releaseRepeats(trx: Trx, discarded: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH repeats AS (
      SELECT line.statement_id, line.number, origin.id AS origin, gone.seen_number AS origin_number,
        row_number() OVER same AS nth, first_value(line.statement_id) OVER same AS first_statement,
        first_value(line.number) OVER same AS first_number
      FROM statement_line AS line
        JOIN statement AS own ON own.id = line.statement_id AND own.discarded_at IS NULL
        JOIN statement_line AS gone ON gone.statement_id = line.seen_statement AND gone.number = line.seen_number
        LEFT JOIN statement AS origin ON origin.id = gone.seen_statement AND origin.discarded_at IS NULL
      WHERE line.seen_statement = ${discarded}
      WINDOW same AS (PARTITION BY line.seen_number ORDER BY line.set_aside_reason IS NOT NULL, own.taken_at, own.id)),
    moved AS (
      UPDATE statement_line AS line
      SET seen_statement = coalesce(origin, first_statement),
        seen_number = CASE WHEN origin IS NULL THEN first_number ELSE origin_number END
      FROM repeats WHERE (line.statement_id, line.number) = (repeats.statement_id, repeats.number)
        AND (origin IS NOT NULL OR nth > 1))
    UPDATE statement_line AS line SET ${NO_REPEAT}
    FROM repeats WHERE (line.statement_id, line.number) = (repeats.statement_id, repeats.number)
      AND origin IS NULL AND nth = 1 AND set_aside_reason IS NOT NULL AND set_aside_by IS NULL
      AND NOT EXISTS (SELECT FROM statement WHERE id = returned_statement AND discarded_at IS NULL)
    RETURNING line.statement_id AS id`.execute(trx)
  return [...new Set(rows.map(({ id }) => id))]
}

/** Once a statement is restored: of equal lines, the one that was worked on counts, or else the earlier. */
export async function setRepeatsAside(trx: Trx, restored: string): Promise<void> {
  await sql`
    UPDATE statement_line AS line SET ${NO_REPEAT}
    WHERE statement_id = ${restored} AND set_aside_reason IS NOT NULL AND set_aside_by IS NULL
      AND NOT EXISTS (SELECT FROM statement WHERE id IN (seen_statement, returned_statement) AND discarded_at IS NULL)`.execute(
    trx,
  )
  const { rows } = await sql<{ place: string }>`
    SELECT seen_statement || ' ' || seen_number AS place FROM statement_line
    WHERE statement_id = ${restored} AND seen_statement IS NOT NULL`.execute(trx)
  const but = { except: restored, taken: rows.map(({ place }) => place) }
  const lines = await findSeenOf(trx, restored)
  for await (const { line, before: other } of findBefore(trx, lines, (seen) => seen, but)) {
    if (other === undefined) continue
    const work = workOn(line) - workOn(other)
    const isOther = work === 0 ? line.taken_at < other.taken_at : work > 0
    const [first, second] = isOther ? [other, line] : [line, other]
    if (!(await setRepeatAside(trx, first, second))) await setRepeatAside(trx, second, first)
  }
}

function workOn({ command_id, edit_id, set_aside_reason, returned_statement }: Seen): number {
  const isReturned = set_aside_reason !== null && returned_statement !== null
  return command_id === null && !isReturned ? Number(edit_id !== null || set_aside_reason !== null) : 2
}

const setRepeatAside = (trx: Trx, { statement_id, number, ...line }: Seen, counted: Seen): Promise<boolean> => {
  const words = `Already in ${line.taken_at < counted.taken_at ? 'a later' : 'an earlier'} statement, line ${counted.number}.`
  const seen = { seen_statement: counted.statement_id, seen_number: counted.number }
  const set_aside_reason = line.set_aside_reason ?? words
  // A return known of both lines would count twice.
  const once = line.returned_statement === counted.returned_statement ? { returned_statement: null } : {}
  return changeLine(trx, { statementId: statement_id, number }, { ...seen, set_aside_reason, ...once })
}
