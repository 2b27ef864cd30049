import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import type { OpenCounts } from './command.ts'

export async function countOpen(db: Kysely<Tables>): Promise<OpenCounts> {
  const [rows, { unhandled }] = await Promise.all([
    db
      .selectFrom('command')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('state', 'in', ['unknown', 'accepted'])
      .groupBy('state')
      .execute(),
    db
      .selectFrom('command')
      .select(({ fn }) => fn.countAll<number>().as('unhandled'))
      .where('state', '=', 'not_applied')
      .where('handled_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0)
  return { unknown: of('unknown'), accepted: of('accepted'), unhandled: Number(unhandled) }
}

export async function countAttention(db: Kysely<Tables>, since: string): Promise<number> {
  const [{ unknown, unhandled }, { late }] = await Promise.all([
    countOpen(db),
    db
      .selectFrom('command')
      .select(({ fn }) => fn.countAll<number>().as('late'))
      .where('late_at', '>', since)
      .executeTakeFirstOrThrow(),
  ])
  return unknown + unhandled + Number(late)
}

export async function countSentBy(db: Kysely<Tables>, actor: string, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('command')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('actor', '=', actor)
    .where('sent_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const UNDER_WAY = ['awaiting_approval', 'sent', 'challenged', 'accepted', 'unknown'] as const

export async function readUnderWay(db: Kysely<Tables>) {
  const rows = await db
    .selectFrom('command')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('sent_at').as('oldest')])
    .where('state', 'in', UNDER_WAY)
    .groupBy('state')
    .execute()
  return UNDER_WAY.map((state) => {
    const row = rows.find((one) => one.state === state)
    return { state, count: Number(row?.count ?? 0), oldestSentAt: row?.oldest ?? null }
  })
}
