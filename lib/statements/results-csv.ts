import 'server-only'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { BYTE_ORDER_MARK, csvLine } from '#lib/values/csv.ts'
import { Money } from '#lib/values/money.ts'
import { dayOf } from '#lib/values/time.ts'
import { outcomeOf, stateNow } from './line-view.ts'
import { type JudgedLine, judged } from './shown-lines.ts'
import { findStatement } from './statement-table.ts'
import { isFromField, type LineStatus, lineStatusWords } from './statement-view.ts'

const HEADINGS = [
  'Line',
  'State',
  'Result',
  'The bank received',
  'Currency',
  'Reference in the file',
  'Reference',
  'Source of the reference',
  'Bank’s reference in the file',
  'Bank’s reference',
  'Booked',
  'Value date',
  'Account',
  'Payer',
  'Payer’s account',
  'Free text',
  'Transaction state',
  'Sender pays (BZD)',
  'Confirmed by',
  'Confirmed (UTC)',
  'Set aside by',
  'Set aside because',
  'Edited by',
  'Edited (UTC)',
  'Looked up (UTC)',
]

const FROM_WORDS = {
  field: 'the file',
  text: 'accepted from the text',
  found: 'accepted from the text with others',
  payer: 'accepted from earlier payments',
  hand: 'entered by hand',
} as const

type ResultLine = JudgedLine & {
  readonly confirmed_by: string | null
  readonly confirmed_at: string | null
  readonly confirmed_outcome: string | null
  readonly edited_by: string | null
  readonly edited_at: string | null
}

export interface ResultsFile {
  readonly name: string
  readonly text: string
  readonly rows: number
}

/** `status`: only lines that have it; null: all. */
export async function resultsFile(id: string, status: LineStatus | null = null): Promise<ResultsFile | null> {
  const db = await store()
  const statement = await findStatement(db, id)
  if (statement === undefined || statement.discarded_at !== null) return null
  const lines = await resultLines(db, id, status)
  const base = statement.file_name.replace(/\.[^.]*$/, '').replaceAll(/[^\w-]+/g, '-')
  const day = dayOf(Date.now(), config().businessZone)
  return {
    name: `results-${base}-${status === null ? '' : `${status}-`}${day}.csv`,
    text: BYTE_ORDER_MARK + csvLine(HEADINGS) + lines.map(resultLine).join(''),
    rows: lines.length,
  }
}

/** Includes the deposit's confirmation by any person. */
async function resultLines(db: Kysely<Tables>, id: string, status: LineStatus | null): Promise<ResultLine[]> {
  const { rows } = await sql<ResultLine>`
    SELECT judged.*, edit.actor_name AS edited_by, edit.created_at AS edited_at,
      made.actor_name AS confirmed_by, made.settled_at AS confirmed_at,
      made.outcome AS confirmed_outcome
    FROM ${judged(id)}
    LEFT JOIN command edit ON edit.id = judged.edit_id
    LEFT JOIN LATERAL (SELECT actor_name, settled_at, outcome FROM command confirmed
      WHERE confirmed.kind = 'deposit.confirm' AND confirmed.target = judged.sought AND judged.sought <> ''
        AND confirmed.state IN ('done', 'applied') ORDER BY confirmed.created_at LIMIT 1) made
      ON true
    WHERE ${status}::text IS NULL OR judged.status = ${status}
    ORDER BY judged.number`.execute(db)
  return rows
}

const resultLine = (line: ResultLine): string =>
  csvLine([
    String(line.number),
    lineStatusWords[line.status],
    line.note ?? outcomeWords(line),
    amountOf(line.amount),
    line.currency,
    line.reference,
    line.sought,
    originWords(line),
    line.bank_reference,
    line.bank_used,
    line.booked_on,
    line.value_date,
    line.account,
    line.payer_name,
    line.payer_account,
    line.text,
    stateNow(line, line.confirmed_outcome) ?? '',
    line.found_debit === null ? '' : amountOf(line.found_debit),
    line.confirmed_by ?? '',
    line.confirmed_at ?? '',
    line.set_aside_by ?? '',
    line.set_aside_reason ?? '',
    line.edited_by ?? '',
    line.edited_at ?? '',
    line.looked_at ?? '',
  ])

function originWords({ sought, sought_from, reference: field, text }: ResultLine): string {
  if (sought === '') return ''
  const words = FROM_WORDS[sought_from]
  return isFromField(sought, { field, text }) ? words.replace('the text', 'the reference field') : words
}

const amountOf = (text: string): Money | string => Money.fromWire(text) ?? text

function outcomeWords(line: JudgedLine): string {
  const outcome = outcomeOf(line)
  if (outcome === null) return ''
  if ('title' in outcome) return outcome.title
  return 'shows' in outcome ? (outcome.shows ?? '') : ''
}
