import 'server-only'
import { type Selectable, sql } from 'kysely'
import { permits } from '#lib/authorization/judge.ts'
import { errorName, log } from '#lib/config/log.ts'
import type { Session } from '#lib/session/session.ts'
import { countRows, inTransaction, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { holdsCardNumber } from '#lib/values/text.ts'
import type { RecentThing, Thing, ThingKind } from './thing.ts'

/** The column's limit. */
const LABEL_MAX_CHARS = 200

/** Never throws. `label` must not hold an amount or a wallet holder's text. */
export async function rememberShown(actor: string, { label, ...thing }: Thing & Pick<RecentThing, 'label'>) {
  if (holdsCardNumber(thing.id)) return
  try {
    await rememberThing(actor, { ...thing, label: [...label].slice(0, LABEL_MAX_CHARS).join('') })
  } catch (error) {
    log().error({ event: 'recent-thing', error: errorName(error) })
  }
}

/** Pinned first, then latest. Omits statements that the person may no longer read. */
export async function recentThings(session: Session, kind: ThingKind | null): Promise<readonly RecentThing[]> {
  const rows = await findThings(session.actor, kind)
  const hasStatements = rows.some((row) => row.kind === 'statement')
  // Statement labels are bank file names, which need the scope.
  const hidden = hasStatements && !(await permits(session, 'statements.read')) ? 'statement' : null
  return rows.filter((row) => row.kind !== hidden).map(thingOf)
}

const thingOf = ({ kind, id, label, shown_at, pinned_at }: RecentThingRow): RecentThing => ({
  kind: kind as ThingKind,
  id,
  label,
  shownAt: shown_at,
  pinned: pinned_at !== null,
})

type Person = Pick<Session, 'actor'>

type RecentThingRow = Selectable<Tables['recent_thing']>

/** Per person and kind. Pinned items are counted separately and never dropped. */
export const RECENT_MAX = 20
export const PINNED_MAX = 20

/** Per person, because concurrent transactions could lock the same rows in different orders and deadlock. */
const lockOf = (trx: Trx, actor: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtext(${`recent things ${actor}`}))`.execute(trx)

export async function rememberThing(
  actor: string,
  { kind, id, label }: Thing & Pick<RecentThing, 'label'>,
): Promise<void> {
  const db = await store()
  const shown_at = new Date().toISOString()
  const again = await db
    .updateTable('recent_thing')
    .set({ label, shown_at })
    .where(({ and }) => and({ actor, kind, id }))
    .executeTakeFirst()
  if (again.numUpdatedRows > 0n) return
  await inTransaction(db, async (trx) => {
    await lockOf(trx, actor)
    await trx
      .insertInto('recent_thing')
      .values({ actor, kind, id, label, shown_at, pinned_at: null })
      .onConflict((conflict) => conflict.columns(['actor', 'kind', 'id']).doUpdateSet({ label, shown_at }))
      .execute()
    await dropOldest(trx, actor, kind)
  })
}

async function dropOldest(trx: Trx, actor: string, kind: string): Promise<void> {
  const notPinned = trx
    .selectFrom('recent_thing')
    .select('id')
    .where(({ and }) => and({ actor, kind }))
    .where('pinned_at', 'is', null)
  const kept = notPinned.orderBy('shown_at', 'desc').orderBy('id').limit(RECENT_MAX)
  await trx
    .deleteFrom('recent_thing')
    .where(({ and }) => and({ actor, kind }))
    .where('pinned_at', 'is', null)
    .where('id', 'not in', kept)
    .execute()
}

/** False if {@link PINNED_MAX} of this kind are pinned. */
export const pin = async ({ actor }: Person, { kind, id }: Thing, pinned: boolean): Promise<boolean> =>
  await inTransaction(await store(), async (trx) => {
    await lockOf(trx, actor)
    const now = new Date().toISOString()
    const pinned_at = pinned ? now : null
    if (pinned && (await countPinned(trx, actor, { kind, id })) >= PINNED_MAX) return false
    const changed = await trx
      .updateTable('recent_thing')
      .set({ pinned_at })
      .where(({ and }) => and({ actor, kind, id }))
      .executeTakeFirst()
    if (pinned && changed.numUpdatedRows === 0n) {
      await trx.insertInto('recent_thing').values({ actor, kind, id, label: '', shown_at: now, pinned_at }).execute()
    }
    await dropOldest(trx, actor, kind)
    return true
  })

const countPinned = (trx: Trx, actor: string, { kind, id }: Thing): Promise<number> =>
  countRows(
    trx
      .selectFrom('recent_thing')
      .where(({ and }) => and({ actor, kind }))
      .where('id', '<>', id)
      .where('pinned_at', 'is not', null),
  )

export const findThings = async (actor: string, kind: string | null): Promise<RecentThingRow[]> =>
  await (await store())
    .selectFrom('recent_thing')
    .selectAll()
    .where('actor', '=', actor)
    .$if(kind !== null, (query) => query.where('kind', '=', kind ?? ''))
    .orderBy(({ eb }) => eb('pinned_at', 'is', null))
    .orderBy('shown_at', 'desc')
    .orderBy('id')
    .execute()

export async function isPinned({ actor }: Person, { kind, id }: Thing): Promise<boolean> {
  const row = await (await store())
    .selectFrom('recent_thing')
    .select('pinned_at')
    .where(({ and }) => and({ actor, kind, id }))
    .executeTakeFirst()
  return row != null && row.pinned_at !== null
}
