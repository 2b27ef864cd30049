import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { CommandRow } from './command-table.ts'

/** Which changes, and of whom: `kinds` are those of which a person sees those of others. */
export type WantedChanges =
  | { readonly list: 'mine'; readonly actor: string }
  | { readonly list: 'open'; readonly actor: string; readonly kinds: readonly string[] }
  /** Whose effect showed late since a time (ISO 8601). */
  | { readonly list: 'late'; readonly actor: string; readonly kinds: readonly string[]; readonly since: string }

export interface CommandPage {
  readonly commands: CommandRow[]
  /** On all pages. */
  readonly total: number
}

/** One page of changes that were sent: a person's own newest first, open ones oldest first, late ones latest first. */
export async function findPage(
  db: Kysely<Tables>,
  wanted: WantedChanges,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<CommandPage> {
  const rows = db
    .selectFrom('command')
    .$if(wanted.list === 'mine', (query) => query.where('actor', '=', wanted.actor).where('sent_at', 'is not', null))
    .$if(wanted.list === 'open', (query) => query.where('state', 'in', ['unknown', 'accepted']))
    .$if(wanted.list === 'late', (query) => query.where('late_at', '>', wanted.list === 'late' ? wanted.since : ''))
    .$if(wanted.list !== 'mine', (query) =>
      query.where(({ or, eb }) => {
        const kinds = wanted.list === 'mine' ? [] : wanted.kinds
        return or([eb('actor', '=', wanted.actor), ...(kinds.length === 0 ? [] : [eb('kind', 'in', kinds)])])
      }),
    )
  const [column, direction] = ORDER[wanted.list]
  const [commands, { total }] = await Promise.all([
    rows
      .selectAll()
      .orderBy(column, direction)
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { commands, total: Number(total) }
}

const ORDER = {
  mine: ['sent_at', 'desc'],
  open: ['created_at', 'asc'],
  late: ['late_at', 'desc'],
} as const

/** How many commands have an end that is not known, by state. */
export async function countOpen(db: Kysely<Tables>): Promise<Readonly<Record<'unknown' | 'accepted', number>>> {
  const rows = await db
    .selectFrom('command')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', ['unknown', 'accepted'])
    .groupBy('state')
    .execute()
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0)
  return { unknown: of('unknown'), accepted: of('accepted') }
}

/** How many a person sent since a time (ISO 8601). */
export async function countSentBy(db: Kysely<Tables>, actor: string, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('command')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('actor', '=', actor)
    .where('sent_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
