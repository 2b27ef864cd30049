import 'server-only'
import { type Kysely, sql } from 'kysely'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import type { Session } from './session.ts'
import type { KeptText } from './unsent-text-place.ts'

const TEXTS_MOST = 100

/** Latest first. Each page has one row, so a late write replaces no text of another page. */
const textsOf = (db: Kysely<Tables>, owner: string, place: string) =>
  db
    .selectFrom('text_draft')
    .select(['text', 'page', 'number', 'version'])
    .where((row) => row.and({ owner, place }))
    .orderBy('version', 'desc')
    .execute()

export async function readUnsentText({ actor: owner }: Session, place: string): Promise<KeptText> {
  const [latest, ...earlier] = await textsOf(await store(), owner, place)
  const text = latest?.text ?? ''
  return { owner, place, text, version: latest?.version ?? 0, other: otherText(earlier, text) }
}

const otherText = (rows: readonly { readonly text: string }[], text: string): string | null =>
  rows.find((row) => row.text !== '' && row.text !== text)?.text ?? null

/** The text of the page if the write `number` or a later one has arrived. */
export async function readWrite({ actor }: Session, place: string, page: string, number: number) {
  const written = (await textsOf(await store(), actor, place)).find((row) => row.page === page && row.number >= number)
  return written === undefined ? null : { text: written.text, version: written.version }
}

interface UnsentWrite {
  readonly text: string
  readonly page: string
  /** Grows with each write of the page: an earlier write that arrives later changes nothing. */
  readonly number: number
  /** The latest version that the page has shown. The write replaces texts up to it. */
  readonly base: number
  /** Text of another page that the page offers and does not show. It stays. */
  readonly offered?: string | null | undefined
}

/** Returns the place's version, and the text of another page that this page has not shown. An empty text removes. */
export const saveUnsentText = async (
  { actor: owner }: Session,
  place: string,
  { text, page, number, base, offered = null }: UnsentWrite,
): Promise<Pick<KeptText, 'version' | 'other'>> =>
  await inTransaction(await store(), async (trx) => {
    await lockPlace(trx, owner, place)
    await trx
      .deleteFrom('text_draft')
      .where((row) => row.and({ owner, place }))
      .where('page', '<>', page)
      .where('version', '<=', base)
      .where('text', 'is distinct from', offered)
      .execute()
    await trx
      .insertInto('text_draft')
      .values({ owner, place, page, number, text })
      .onConflict((conflict) =>
        conflict
          .columns(['owner', 'place', 'page'])
          .doUpdateSet(({ ref }) => ({ text, number, version: ref('excluded.version') }))
          .where('text_draft.number', '<', number),
      )
      .execute()
    const kept = trx
      .selectFrom('text_draft')
      .select('version')
      .where('owner', '=', owner)
      .orderBy(({ eb }) => eb('text', '=', ''))
      .orderBy('version', 'desc')
      .limit(TEXTS_MOST)
    await trx.deleteFrom('text_draft').where('owner', '=', owner).where('version', 'not in', kept).execute()
    const rows = await textsOf(trx, owner, place)
    const others = rows.filter((row) => row.page !== page)
    return { version: rows[0]?.version ?? 0, other: otherText(others, text) }
  })

/** Versions of a place are given in the order of the commits. */
const lockPlace = (trx: Trx, owner: string, place: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`unsent ${owner} ${place}`}, 0))`.execute(trx)

/** `without` returns a text without what was sent. An open page learns of the removal by its version. */
export async function removeSentText(
  trx: Trx,
  owner: string,
  place: string,
  without: (text: string) => string,
): Promise<void> {
  await lockPlace(trx, owner, place)
  for (const { text, version } of await textsOf(trx, owner, place)) {
    const left = without(text.trim())
    if (left === text.trim()) continue
    await trx
      .updateTable('text_draft')
      .set({ text: left, version: sql`DEFAULT` })
      .where((row) => row.and({ owner, place, version }))
      .execute()
  }
}

/** Where it is a whole text of the owner about the target, or a paragraph. */
export async function removeErasedText(trx: Trx, owner: string, target: string, erased: string): Promise<void> {
  const drafts = trx.selectFrom('text_draft').select('place').distinct().where('owner', '=', owner)
  const found = await drafts
    .where(sql`lower(substr(place, strpos(place, ':') + 1))`, '=', target.toLowerCase())
    .execute()
  const without = (text: string): string => {
    const left = `\n\n${text}\n\n`.replace(`\n\n${erased}\n\n`, () => '\n\n').trim()
    return left === text ? left : without(left)
  }
  for (const { place } of found) await removeSentText(trx, owner, place, without)
}
