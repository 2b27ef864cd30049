import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '#lib/session/session.ts'
import { COLUMNS_MAX, type ColumnMapping, type DraftMapping, type TableView } from '#lib/statements/file/statement.ts'
import { decidedMark, positionsOf } from '#lib/statements/file/table.ts'
import { store } from '#lib/store/store.ts'
import { findMapping, saveMapping } from './statement-table.ts'

const position = z
  .int()
  .min(0)
  .max(COLUMNS_MAX - 1)

export const columnMapping: z.ZodType<ColumnMapping> = z.strictObject({
  headings: z.boolean(),
  reference: position.nullable(),
  amount: position,
  bankReference: position.nullable(),
  bookedOn: position.nullable(),
  currency: position.nullable(),
  text: position.nullable(),
  decimalMark: z.enum(['point', 'comma']).nullable(),
})

const namedMapping = z.strictObject({
  reference: z.string().nullable(),
  amount: z.string(),
  bankReference: z.string().nullable(),
  bookedOn: z.string().nullable(),
  currency: z.string().nullable(),
  text: z.string().nullable(),
  decimalMark: z.enum(['point', 'comma']),
})

const hashOf = (columns: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(columns)).digest('hex')

export type RememberedMapping =
  | { readonly fits: true; readonly mapping: ColumnMapping }
  | { readonly fits: false; readonly draft: DraftMapping; readonly why: string }

/**
 * This person's mapping of the same headings. It fits only if the file decides the same decimal mark, so that no amount
 * is misread.
 */
export async function rememberedMapping(session: Session, head: TableView): Promise<RememberedMapping | null> {
  if (!head.headings) return null
  const kept = await findMapping(await store(), session.actor, hashOf(head.columns))
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
      why: 'You mapped these columns before an update of the console. Check them once more.',
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
    return { fits: true, mapping }
  }
  const draft = { ...mapping, decimalMark: decidedMark(mark) }
  const [example] = examples
  const shown = example === undefined ? '' : ` (“${example.text}”, line ${example.place.toLocaleString('en-US')})`
  const before =
    mapping.decimalMark === null ? 'all amounts were whole numbers' : `amounts had ${markWords[mapping.decimalMark]}`
  const now = {
    point: `they have a decimal point${shown}`,
    comma: `they have a decimal comma${shown}`,
    undecided: `they can be read in two ways${shown}`,
    mixed: `they are written in two ways${shown}`,
    'no-amounts': 'the column holds no amounts',
  }[verdict]
  return { fits: false, draft, why: `When you mapped these columns, ${before}. In this file ${now}.` }
}

/** The console cannot recognise a table without headings. */
export async function rememberMapping(session: Session, head: TableView, mapping: ColumnMapping): Promise<void> {
  if (!mapping.headings) return
  const columnsHash = hashOf(head.columns)
  await saveMapping(await store(), { owner: session.actor, columnsHash, mapping: JSON.stringify(mapping) })
}
