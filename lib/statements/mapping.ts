import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Session } from '#lib/session/session.ts'
import type { ColumnMapping } from '#lib/statements/file/csv.ts'
import { store } from '#lib/store/store.ts'
import { findMapping, saveMapping } from './statement-table.ts'

/** Longer than any heading of a column. */
const HEADING_MAX_CHARS = 1_000

const heading = z.string().max(HEADING_MAX_CHARS)

export const columnMapping = z.strictObject({
  reference: heading.nullable(),
  amount: heading,
  bankReference: heading.nullable(),
  bookedOn: heading.nullable(),
  currency: heading.nullable(),
  text: heading.nullable(),
  decimalMark: z.enum(['point', 'comma']),
})

const hashOf = (columns: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(columns)).digest('hex')

/** How this person mapped these very columns before; null when they never did. */
export async function rememberedMapping(session: Session, columns: readonly string[]): Promise<ColumnMapping | null> {
  const kept = await findMapping(await store(), session.actor, hashOf(columns))
  if (kept === undefined) return null
  const parsed = columnMapping.safeParse(JSON.parse(kept))
  return parsed.success ? parsed.data : null
}

export async function rememberMapping(
  session: Session,
  columns: readonly string[],
  mapping: ColumnMapping,
): Promise<void> {
  const owned = { owner: session.actor, columnsHash: hashOf(columns), mapping: JSON.stringify(mapping) }
  await saveMapping(await store(), owned)
}
