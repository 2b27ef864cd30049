import 'server-only'
import type { Kysely } from 'kysely'
import { cache } from 'react'
import { z } from 'zod'
import { perProcess } from '#lib/config/per-process.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { Session } from './session.ts'

const TABLES_MAX = 40
const COLUMNS_MAX = 40

const name = z.string().regex(/^[a-z][a-zA-Z-]{0,39}$/)

const theme = z.enum(['system', 'light', 'dark'])
const timeFirst = z.enum(['local', 'utc'])
const density = z.enum(['normal', 'compact'])
const columns = z.array(name).max(COLUMNS_MAX)

const preferences = z.object({
  theme: theme.catch('system'),
  timeFirst: timeFirst.catch('local'),
  notify: z.boolean().catch(false),
  density: density.catch('normal'),
  hiddenColumns: z.record(name, columns).catch({}),
  defaultViews: z.record(name, z.uuid()).catch({}),
})

export type Preferences = z.output<typeof preferences>

export const preferenceChange = z.strictObject({
  theme: theme.optional(),
  timeFirst: timeFirst.optional(),
  notify: z.boolean().optional(),
  density: density.optional(),
  table: z.strictObject({ name, hidden: columns }).optional(),
  defaultView: z.strictObject({ table: name, view: z.uuid().nullable() }).optional(),
})

const DEFAULTS: Preferences = preferences.parse({})

/** JSON that was read together with the session; null when the person has chosen nothing. */
const opened = (): WeakMap<Session, string | null> => perProcess('opened preferences', () => new WeakMap())

export const cachePreferences = (session: Session, stored: string | null): void => void opened().set(session, stored)

export const readPreferences = cache(async (session: Session | null): Promise<Preferences> => {
  if (session === null) return DEFAULTS
  const stored =
    opened().get(session) ?? (opened().has(session) ? null : await findPreference(await store(), session.actor))
  return stored === null ? DEFAULTS : preferences.parse(JSON.parse(stored))
})

export async function writePreferences(
  session: Session,
  { table, defaultView, ...change }: z.output<typeof preferenceChange>,
): Promise<void> {
  opened().delete(session)
  await changePreference(await store(), session.actor, (body) => {
    const kept = preferences.parse(JSON.parse(body))
    const hiddenColumns =
      table === undefined
        ? kept.hiddenColumns
        : withTable(kept.hiddenColumns, table.name, table.hidden.length === 0 ? null : table.hidden)
    const defaultViews =
      defaultView === undefined ? kept.defaultViews : withTable(kept.defaultViews, defaultView.table, defaultView.view)
    return JSON.stringify({ ...kept, ...change, hiddenColumns, defaultViews })
  })
}

/** A changed table moves to the end, so the oldest choice is dropped. */
function withTable<Choice>(
  kept: Readonly<Record<string, Choice>>,
  changed: string,
  choice: Choice | null,
): Record<string, Choice> {
  const others = Object.entries(kept).filter(([table]) => table !== changed)
  const chosen: [string, Choice][] = choice === null ? [] : [[changed, choice]]
  return Object.fromEntries([...others, ...chosen].slice(-TABLES_MAX))
}

const findPreference = async (db: Kysely<Tables>, actor: string): Promise<string | null> =>
  (await db.selectFrom('preference').select('body').where('actor', '=', actor).executeTakeFirst())?.body ?? null

/** A row lock keeps concurrent changes from overwriting each other. */
async function changePreference(db: Kysely<Tables>, actor: string, change: (body: string) => string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('preference')
      .values({ actor, body: '{}' })
      .onConflict((conflict) => conflict.column('actor').doNothing())
      .execute()
    const { body } = await trx
      .selectFrom('preference')
      .select('body')
      .where('actor', '=', actor)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('preference')
      .set({ body: change(body) })
      .where('actor', '=', actor)
      .execute()
  })
}
