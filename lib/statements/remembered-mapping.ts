import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { formatCount } from '#lib/values/words.ts'
import { COLUMNS_MAX, type ColumnMapping, type DraftMapping, type TableView } from './file/statement.ts'
import { decidedMark, type NamedMapping, positionsOf } from './file/table.ts'
import { findMapping, saveMapping } from './statement-table.ts'

const CELL_MAX_CHARS = 40

const position = z
  .int()
  .min(0)
  .max(COLUMNS_MAX - 1)

const meanings = z.record(z.string().max(CELL_MAX_CHARS), z.boolean())
const meaning = z.strictObject({ column: position, values: meanings }).nullish()
const decimalMark = z.enum(['point', 'comma']).nullable()
const dateOrder = z.enum(['dmy', 'mdy']).nullish()
const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .nullish()

export const columnMapping: z.ZodType<ColumnMapping> = z.strictObject({
  headings: z.boolean(),
  reference: position.nullable(),
  amount: position,
  bankReference: position.nullable(),
  bookedOn: position.nullable(),
  currency: position.nullable(),
  text: position.nullable(),
  decimalMark,
  paidOut: position.nullish(),
  valueDate: position.nullish(),
  payerName: position.nullish(),
  payerAccount: position.nullish(),
  direction: meaning,
  status: meaning,
  currencyCode,
  dateOrder,
})

const namedMeaning = z.strictObject({ column: z.string(), values: meanings }).nullish()

export const namedMapping: z.ZodType<NamedMapping> = z.strictObject({
  reference: z.string().nullable(),
  amount: z.string(),
  bankReference: z.string().nullable(),
  bookedOn: z.string().nullable(),
  currency: z.string().nullable(),
  text: z.string().nullable(),
  decimalMark,
  paidOut: z.string().nullish(),
  valueDate: z.string().nullish(),
  payerName: z.string().nullish(),
  payerAccount: z.string().nullish(),
  direction: namedMeaning,
  status: namedMeaning,
  currencyCode,
  dateOrder,
})

const hashOf = ({ columns, shape }: TableView): string =>
  createHash('sha256')
    .update(JSON.stringify([columns, shape]))
    .digest('hex')

type RememberedMapping =
  | { readonly fits: true; readonly mapping: ColumnMapping; readonly draft: DraftMapping; readonly why: null }
  | { readonly fits: false; readonly draft: DraftMapping; readonly why: string }

/** Of the same headings. Fits only if the file decides the same decimal mark, so that no amount is misread. */
export async function rememberedMapping(session: Session, head: TableView): Promise<RememberedMapping | null> {
  if (!head.headings) return null
  const kept = await findMapping(await store(), session.actor, hashOf(head))
  if (kept === undefined) return null
  const json: unknown = JSON.parse(kept)
  const named = namedMapping.safeParse(json)
  if (named.success) {
    const positions = positionsOf(head, named.data)
    if (!('headings' in positions)) return null
    const draft = { ...positions, decimalMark: decidedMark(head.marks[positions.amount]) }
    return {
      fits: false,
      draft,
      why: 'The console was updated since you mapped these columns. Check them again.',
    }
  }
  const parsed = columnMapping.safeParse(json)
  return parsed.success ? judgeMemory(head, parsed.data) : null
}

const markWords = { point: 'a decimal point', comma: 'a decimal comma' } as const

function judgeMemory(head: TableView, mapping: ColumnMapping): RememberedMapping | null {
  const mark = head.marks[mapping.amount]
  if (mark === undefined) return null
  const { verdict, examples } = mark
  if (verdict === 'whole' || (verdict !== 'undecided' && verdict === mapping.decimalMark)) {
    return { fits: true, mapping, draft: mapping, why: null }
  }
  const draft = { ...mapping, decimalMark: decidedMark(mark) }
  const [example] = examples
  const shown = example === undefined ? '' : ` (“${example.text}”, line ${formatCount(example.place)})`
  const before =
    mapping.decimalMark === null ? 'all amounts were whole numbers' : `amounts had ${markWords[mapping.decimalMark]}`
  const now = {
    point: `they have a decimal point${shown}`,
    comma: `they have a decimal comma${shown}`,
    undecided: `they are ambiguous${shown}`,
    mixed: `they use two decimal separators${shown}`,
    'no-amounts': 'the column has no amounts',
  }[verdict]
  return { fits: false, draft, why: `When you mapped these columns, ${before}. In this file ${now}.` }
}

/** The console cannot recognise a table without headings. */
export async function rememberMapping(session: Session, head: TableView, mapping: ColumnMapping): Promise<void> {
  if (!mapping.headings) return
  const columnsHash = hashOf(head)
  await saveMapping(await store(), { owner: session.actor, columnsHash, mapping: JSON.stringify(mapping) })
}
