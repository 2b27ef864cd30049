import 'server-only'
import type { Kysely } from 'kysely'
import { cache } from 'react'
import { z } from 'zod'
import { perProcess } from '#lib/config/per-process.ts'
import { inTransaction } from '#lib/store/in-transaction.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { Session } from './session.ts'

/** Bounds of what one person can make the store keep. */
const TABLES_MAX = 40
const COLUMNS_MAX = 40

/** The name of a table or of a column, as pages give it. */
const name = z.string().regex(/^[a-z][a-zA-Z-]{0,39}$/)

const theme = z.enum(['system', 'light', 'dark'])
const timeFirst = z.enum(['local', 'utc'])
const density = z.enum(['normal', 'compact'])
const columns = z.array(name).max(COLUMNS_MAX)

const preferences = z.object({
  theme: theme.catch('system'),
  timeFirst: timeFirst.catch('local'),
  /** Whether new messages in the person's own cases are told as notifications of the desktop. */
  notify: z.boolean().catch(false),
  /** How high the rows of tables are. */
  density: density.catch('normal'),
  /** The columns that are hidden, by table; the table that was changed last comes last. */
  hiddenColumns: z.record(name, columns).catch({}),
  /** By table, the saved view that it opens with; the one that was chosen last comes last. */
  defaultViews: z.record(name, z.uuid()).catch({}),
})

export type Preferences = z.output<typeof preferences>

/** One choice or several; what is left out stays as it is. */
export const preferenceChange = z.strictObject({
  theme: theme.optional(),
  timeFirst: timeFirst.optional(),
  notify: z.boolean().optional(),
  density: density.optional(),
  table: z.strictObject({ name, hidden: columns }).optional(),
  defaultView: z.strictObject({ table: name, view: z.uuid().nullable() }).optional(),
})

type PreferenceChange = z.output<typeof preferenceChange>

const DEFAULTS: Preferences = preferences.parse({})

/** What came with a session when it was opened, for the request that it was opened for. */
const opened = (): WeakMap<Session, string | null> => perProcess('opened preferences', () => new WeakMap())

/** Keeps what was read in one statement with a session: JSON text, null when the person has chosen nothing. */
export const keepPreferences = (session: Session, stored: string | null): void => void opened().set(session, stored)

/** What a person has chosen for themselves; the same on every machine they sign in on. */
export const readPreferences = cache(async (session: Session | null): Promise<Preferences> => {
  if (session === null) return DEFAULTS
  const stored =
    opened().get(session) ?? (opened().has(session) ? null : await findPreference(await store(), session.actor))
  return stored === null ? DEFAULTS : preferences.parse(JSON.parse(stored))
})

export async function writePreferences(
  session: Session,
  { table, defaultView, ...change }: PreferenceChange,
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

/** The choice for one table among the others; beyond the bound, the one that was made first is forgotten. */
function withTable<Choice>(
  kept: Readonly<Record<string, Choice>>,
  changed: string,
  choice: Choice | null,
): Record<string, Choice> {
  const others = Object.entries(kept).filter(([table]) => table !== changed)
  const chosen: [string, Choice][] = choice === null ? [] : [[changed, choice]]
  return Object.fromEntries([...others, ...chosen].slice(-TABLES_MAX))
}

/** JSON text; null when the person has chosen nothing. */
async function findPreference(db: Kysely<Tables>, actor: string): Promise<string | null> {
  const row = await db.selectFrom('preference').select('body').where('actor', '=', actor).executeTakeFirst()
  return row?.body ?? null
}

/** Gives what is kept (`{}` at first) to `change` and keeps what that answers; of two at once, neither is lost. */
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
