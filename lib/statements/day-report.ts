import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { BYTE_ORDER_MARK, csvLine } from '#lib/values/csv.ts'
import { Money } from '#lib/values/money.ts'
import { visibleText } from '#lib/values/text.ts'
import { dayAfter, dayOf, dayStart, isDay } from '#lib/values/time.ts'
import { judged } from './shown-lines.ts'
import type { LineAt } from './statement-view.ts'

export interface Tally {
  readonly count: number
  /** Decimal text. */
  readonly sum: string
}

export interface AccountTotals {
  /** Empty if the file names none. */
  readonly account: string
  readonly currency: string
  readonly received: Tally
  readonly confirmed: Tally
  readonly setAside: Tally
  readonly open: Tally
}

export interface PersonTotals {
  readonly person: string
  readonly currency: string
  readonly confirmed: Tally
  readonly setAside: Tally
  readonly references: number
}

export interface SetAsideLine extends LineAt {
  readonly amount: string
  readonly currency: string
  readonly reason: string
  /** Null if the import set it aside. */
  readonly by: string | null
}

export interface DayReport {
  readonly statements: number
  readonly accounts: readonly AccountTotals[]
  readonly people: readonly PersonTotals[]
  readonly setAside: readonly SetAsideLine[]
  readonly setAsideCount: number
}

const FIRST_DAY = '2000-01-01'

/** Days of the business time zone. Today if the text is empty, or with the fault if it is no day up to today. */
export function reportDay(text: string): {
  readonly day: string
  readonly today: string
  readonly fault: string | null
} {
  const today = dayOf(Date.now(), config().businessZone)
  const isReported = isDay(text) && text >= FIRST_DAY && text <= today
  if (isReported || text === '') return { day: text || today, today, fault: null }
  const shown = visibleText(text).slice(0, 40)
  return { day: today, today, fault: `“${shown}” is not a day up to today. Use the form 2026-11-20.` }
}

interface Between {
  readonly since: string
  readonly until: string
}

const isIn = (time: RawBuilder<unknown>, { since, until }: Between) => sql`(${time} >= ${since} AND ${time} < ${until})`

/** Recorded acts are sent and settled at once. A line set aside twice counts on the day of the latest act. */
const acts = (day: Between) => sql`
  confirmed AS MATERIALIZED (
    SELECT id, actor, actor_name, trim_scale(amount) AS amount FROM command
    WHERE kind = 'deposit.confirm' AND state IN ('done', 'applied') AND sent_at < ${day.until}
      AND ${isIn(sql`settled_at`, day)}),
  edits AS MATERIALIZED (
    SELECT actor, actor_name, sent_at, target AS statement_id, (params::json ->> 'line')::integer AS number,
      params::json ->> 'what' AS what
    FROM command WHERE kind = 'statement.edit-line' AND sent_at >= ${day.since}),
  asides AS MATERIALIZED (
    SELECT DISTINCT ON (statement_id, number) * FROM edits WHERE what = 'set-aside'
    ORDER BY statement_id, number, sent_at DESC)`

/** Statements with lines that were received, confirmed (from the line or on the deposit's page) or set aside. */
const touched = (day: Between) => sql`
  touched AS MATERIALIZED (
    SELECT id, file_name, taken_at, ${isIn(sql`taken_at`, day)} AS is_imported FROM statement
    WHERE discarded_at IS NULL AND (${isIn(sql`taken_at`, day)}
      OR id IN (SELECT statement_id FROM asides WHERE sent_at < ${day.until})
      OR id IN (SELECT line.statement_id FROM confirmed JOIN statement_line line ON line.command_id = confirmed.id)
      OR id IN (SELECT line.statement_id FROM confirmed JOIN command_lock held ON held.command_id = confirmed.id
        JOIN statement_line line ON line.bank_key = held.key)))`

/** Without repeats of statements not discarded. A later file sets aside with an act, without `set_aside_by`. */
const lines = (day: Between) => sql`
  lines AS MATERIALIZED (
    SELECT touched.*, judged.number, judged.account, coalesce(nullif(judged.currency, ''), 'BZD') AS currency,
      judged.amount::numeric AS amount, judged.set_aside_reason AS reason, act.actor, act.actor_name,
      is_imported AND status NOT IN ('done', 'set-aside') AS is_open, made.id IS NOT NULL AS is_confirmed,
      status = 'set-aside' AND
        CASE WHEN act.sent_at IS NULL THEN set_aside_by IS NULL AND is_imported ELSE act.sent_at < ${day.until} END AS is_set_aside
    FROM touched CROSS JOIN LATERAL ${judged(sql`touched.id`)}
    LEFT JOIN statement before ON before.id = seen_statement AND before.discarded_at IS NULL
    LEFT JOIN asides act ON act.statement_id = touched.id AND act.number = judged.number
    LEFT JOIN confirmed made ON status = 'done'
      AND made.id = CASE WHEN command_state IN ('done', 'applied') THEN judged.command_id ELSE page_id END
    WHERE NOT (status = 'set-aside' AND set_aside_by IS NULL AND act.sent_at IS NULL AND before.id IS NOT NULL))`

const byPerson = (day: Between) => sql`
  SELECT actor, actor_name, 'BZD' AS currency, 'confirmed' AS act, amount FROM confirmed
  UNION ALL SELECT actor, actor_name, currency, 'set-aside', amount FROM lines WHERE is_set_aside AND actor IS NOT NULL
  UNION ALL SELECT actor, actor_name, coalesce(nullif(line.currency, ''), 'BZD'), 'reference', NULL
  FROM edits JOIN statement ON statement.id = edits.statement_id AND discarded_at IS NULL
  JOIN statement_line line ON line.statement_id = edits.statement_id AND line.number = edits.number
  WHERE edits.sent_at < ${day.until} AND what IN ('reference', 'accept', 'accept-found', 'accept-payer', 'bank-reference')`

const tally = (which: RawBuilder<unknown>) => sql`json_build_object(
  'count', count(*) FILTER (WHERE ${which}), 'sum', coalesce(sum(amount) FILTER (WHERE ${which}), 0)::text)`

const list = (rows: RawBuilder<unknown>) => sql`(SELECT coalesce(json_agg(rows), '[]') FROM (${rows}) rows)`

/** One query, so that all parts are of one moment. Null lists all lines that were set aside. */
export async function readDayReport(db: Kysely<Tables>, day: string, listed: number | null): Promise<DayReport> {
  const zone = config().businessZone
  const times = { since: dayStart(day, zone), until: dayStart(dayAfter(day), zone) }
  const query = sql<{ report: string }>`
    WITH ${acts(times)}, ${touched(times)}, ${lines(times)}
    SELECT json_build_object(
      'statements', (SELECT count(*) FROM touched WHERE is_imported),
      'accounts', ${list(sql`
        SELECT account, currency, ${tally(sql`is_imported`)} AS received, ${tally(sql`is_confirmed`)} AS confirmed,
          ${tally(sql`is_set_aside`)} AS "setAside", ${tally(sql`is_open`)} AS open
        FROM lines WHERE is_imported OR is_confirmed OR is_set_aside GROUP BY 1, 2 ORDER BY 1, 2`)},
      'people', ${list(sql`
        SELECT max(actor_name) AS person, currency, ${tally(sql`act = 'confirmed'`)} AS confirmed,
          ${tally(sql`act = 'set-aside'`)} AS "setAside", count(*) FILTER (WHERE act = 'reference') AS references
        FROM (${byPerson(times)}) acts GROUP BY actor, currency ORDER BY 1, actor, 2`)},
      'setAside', ${list(sql`
        SELECT id AS "statementId", file_name AS "fileName", number, amount::text, currency, reason, actor_name AS by
        FROM lines WHERE is_set_aside ORDER BY taken_at, id, number LIMIT ${listed}`)},
      'setAsideCount', (SELECT count(*) FROM lines WHERE is_set_aside))::text AS report`
  const { rows } = await inTransaction(db, async (trx) => {
    // PostgreSQL would compile this query, which takes longer than to run it.
    await sql`SET LOCAL jit = off`.execute(trx)
    return await query.execute(trx)
  })
  return JSON.parse(rows[0]?.report ?? '') as DayReport
}

const HEADINGS = [
  ...['Part', 'Day', 'Time zone', 'Account', 'Person', 'Currency', 'Received', 'Received, sum', 'Confirmed'],
  ...[
    'Confirmed, sum',
    'Set aside',
    'Set aside, sum',
    'Left open',
    'Left open, sum',
    'References',
    'Statement',
    'Line',
  ],
  ...['Amount', 'Reason'],
]

const moneyOf = (text: string): Money | string => Money.fromWire(text) ?? text

const cellsOf = (name: string, { count, sum }: Tally) => ({ [name]: String(count), [`${name}, sum`]: moneyOf(sum) })

/** By heading. */
type FileRow = Readonly<Record<string, string | Money>>

/** Lists all lines that were set aside. */
export async function dayReportFile(day: string) {
  const { accounts, people, setAside } = await readDayReport(await store(), day, null)
  const rows: readonly FileRow[] = [
    ...accounts.map(({ account, currency, ...totals }) => ({
      ...{ Part: 'Account', Account: account, Currency: currency },
      ...{ ...cellsOf('Received', totals.received), ...cellsOf('Confirmed', totals.confirmed) },
      ...{ ...cellsOf('Set aside', totals.setAside), ...cellsOf('Left open', totals.open) },
    })),
    ...people.map(({ person, currency, references, ...totals }) => ({
      ...{ Part: 'Person', Person: person, Currency: currency, References: String(references) },
      ...{ ...cellsOf('Confirmed', totals.confirmed), ...cellsOf('Set aside', totals.setAside) },
    })),
    ...setAside.map(({ fileName, number, amount, currency, reason, by }) => ({
      ...{ Part: 'Set aside', Statement: fileName, Line: String(number), Amount: moneyOf(amount), Currency: currency },
      ...{ Reason: reason, Person: by ?? '' },
    })),
  ]
  const dated = { Day: day, 'Time zone': config().businessZone }
  const lines = rows.map((row) => csvLine(HEADINGS.map((heading) => ({ ...dated, ...row })[heading] ?? '')))
  const text = BYTE_ORDER_MARK + csvLine(HEADINGS) + lines.join('')
  return { name: `end-of-day-${day}.csv`, text, rows: rows.length }
}
