import 'server-only'
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { CommandKindName } from '#lib/kind-names.ts'
import { DEAD_AFTER_SECONDS } from '#lib/store/ready.ts'
import { countRows } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { isUuid } from '#lib/values/ids.ts'
import type { OpenCounts } from './command.ts'
import type { CommandRow } from './row.ts'
import { inAnyCase, isOfClass, needsAttention } from './search.ts'

const commandsIn = (db: Kysely<Tables>) => db.selectFrom('command').selectAll()

export const findSentBy = (db: Kysely<Tables>, actor: string, since: string, limit: number): Promise<CommandRow[]> =>
  commandsIn(db)
    .where('actor', '=', actor)
    .where('sent_at', '>=', since)
    .orderBy('sent_at', 'desc')
    .limit(limit)
    .execute()

interface WantedRecent {
  readonly actor: string
  readonly kind: string
  readonly target: string
  /** ISO 8601. */
  readonly since: string
}

export const findOpenOrRecent = (db: Kysely<Tables>, { since, ...wanted }: WantedRecent): Promise<CommandRow[]> =>
  commandsIn(db)
    .where((row) => row.and({ ...wanted }))
    .where((row) => row.or([row('state', 'in', OPEN), row('created_at', '>=', since)]))
    .orderBy('created_at')
    .execute()

const EFFECTIVE = ['done', 'applied'] as const
const OPEN = ['sent', 'unknown', 'accepted'] as const

interface WantedEffective {
  readonly kind: string
  readonly actor: string | null
  readonly matching?: (where: ExpressionBuilder<Tables, 'command'>) => Expression<SqlBool>
}

export async function findEffectivePage(
  db: Kysely<Tables>,
  { kind, actor, matching = ({ lit }) => lit(true) }: WantedEffective,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly commands: CommandRow[]; readonly total: number }> {
  const effective = db
    .selectFrom('command')
    .where('kind', '=', kind)
    .where('state', 'in', EFFECTIVE)
    .$if(actor !== null, (query) => query.where('actor', '=', actor))
    .where(matching)
  const [commands, total] = await Promise.all([
    effective
      .selectAll()
      .orderBy('sent_at', 'desc')
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    countRows(effective),
  ])
  return { commands, total }
}

/** In any letter case, as the service compares ids. The exact target comes first: a reference has one letter case. */
export const findEffective = (db: Kysely<Tables>, kind: string, target: string): Promise<CommandRow | undefined> =>
  commandsIn(db)
    .where('target', 'in', inAnyCase(target))
    .where('kind', '=', kind)
    .where('state', 'in', EFFECTIVE)
    .orderBy(({ eb }) => eb('target', '=', target), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findLater = (
  db: Kysely<Tables>,
  { id, kind, target, sent_at, created_at }: CommandRow,
): Promise<CommandRow[]> =>
  commandsIn(db)
    .where('target', 'in', inAnyCase(target))
    .where('kind', '=', kind)
    .where('id', '!=', id)
    .where('sent_at', '>', sent_at ?? created_at)
    .where('state', 'not in', ['refused', 'closed'])
    .execute()

/** Commands sent a day earlier are settled or in an open state. */
const UNDER_WAY_MAX_MS = 86_400_000

interface Between {
  readonly kinds: readonly string[]
  readonly readAt: string
  readonly endedAt: string
}

export async function findConcurrent(db: Kysely<Tables>, { kinds, readAt, endedAt }: Between): Promise<CommandRow[]> {
  if (kinds.length === 0) return []
  const sentBefore = commandsIn(db)
    .where('kind', 'in', kinds)
    .where('sent_at', '<=', endedAt)
    .orderBy('sent_at', 'desc')
    .limit(OPEN_MAX)
  const sentSince = new Date(Date.parse(readAt) - UNDER_WAY_MAX_MS).toISOString()
  const [effective, open, noEffect] = await Promise.all([
    sentBefore
      .where('sent_at', '>=', sentSince)
      .where('state', 'in', EFFECTIVE)
      .where('settled_at', '>=', readAt)
      .execute(),
    sentBefore.where('state', 'in', OPEN).execute(),
    sentBefore.where('state', '=', 'not_applied').where('reconcile_until', '>=', readAt).execute(),
  ])
  return [...effective, ...open, ...noEffect].sort((a, b) => ((a.sent_at ?? '') < (b.sent_at ?? '') ? 1 : -1))
}

/** One row more than LATE_MAX shows that there are more. */
export const findLate = (db: Kysely<Tables>, since: string): Promise<CommandRow[]> =>
  commandsIn(db)
    .where('late_at', '>', since)
    .orderBy('late_at', 'desc')
    .limit(LATE_MAX + 1)
    .execute()

export const LATE_MAX = 100

export const findLatestDoneBy = (
  db: Kysely<Tables>,
  { actor, kinds, since }: Pick<WantedRecent, 'actor' | 'since'> & { readonly kinds: readonly CommandKindName[] },
): Promise<CommandRow | undefined> =>
  commandsIn(db)
    .where('actor', '=', actor)
    .where('kind', 'in', kinds)
    .where('state', 'in', EFFECTIVE)
    .where('settled_at', '>=', since)
    .orderBy('settled_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Open, or without effect so far. */
export const findUndecided = (db: Kysely<Tables>, kind: string, target: string): Promise<CommandRow | undefined> =>
  commandsIn(db)
    .where('target', '=', target)
    .where('kind', '=', kind)
    .where(({ or, and, eb }) =>
      or([
        eb('state', 'in', OPEN),
        and([
          eb('state', '=', 'not_applied'),
          isOfClass('no-effect'),
          or([eb('handled_at', 'is', null), eb('reconcile_until', '>', new Date().toISOString())]),
        ]),
      ]),
    )
    .orderBy(({ eb }) => eb('state', 'in', OPEN), 'desc')
    .orderBy('sent_at', 'desc')
    .limit(1)
    .executeTakeFirst()

const SHOWN_FOR_MS = 86_400_000

/** Takes effect at most once on its target, so no other attempt matters after that. */
const ONCE: readonly string[] = [
  'deposit.confirm',
  'card.block',
  'terminal.disable',
  'dispute.resolve',
  'transaction.resolve',
] satisfies CommandKindName[]

/** What took effect, then what waits for approval. A request of `actor` that ended unsent is shown for a day. */
export function findLatestShown(
  db: Kysely<Tables>,
  { actor, kind, target }: Pick<CommandRow, 'kind' | 'target' | 'actor'>,
): Promise<CommandRow | undefined> {
  const since = new Date(Date.now() - SHOWN_FOR_MS).toISOString()
  return commandsIn(db)
    .where('kind', '=', kind)
    .where('target', 'in', isUuid(target) ? inAnyCase(target) : [target])
    .where(({ or, and, eb, not, exists, selectFrom }) =>
      or([
        eb('sent_at', 'is not', null),
        eb('state', '=', 'awaiting_approval'),
        and([
          eb('actor', '=', actor),
          eb('state', '=', 'closed'),
          eb('settled_at', '>=', since),
          not(isOfClass('cancelled')),
          exists(
            selectFrom('approval_request')
              .select('approval_request.command_id')
              .whereRef('approval_request.command_id', '=', 'command.id'),
          ),
        ]),
      ]),
    )
    .$if(ONCE.includes(kind), (query) => query.orderBy(({ eb }) => eb('state', 'in', EFFECTIVE), 'desc'))
    .orderBy(({ eb }) => eb('state', '=', 'awaiting_approval'), 'desc')
    .orderBy(({ fn }) => fn.coalesce('sent_at', 'created_at'), 'desc')
    .limit(1)
    .executeTakeFirst()
}

export const OPEN_MAX = 500

export const findOpen = (db: Kysely<Tables>): Promise<CommandRow[]> =>
  commandsIn(db).where('state', 'in', ['unknown', 'accepted']).orderBy('created_at').limit(OPEN_MAX).execute()

export const findUnhandled = (db: Kysely<Tables>): Promise<CommandRow[]> =>
  commandsIn(db)
    .where('state', '=', 'not_applied')
    .where('handled_at', 'is', null)
    .orderBy('created_at')
    .limit(OPEN_MAX)
    .execute()

export const findReconciledLater = (db: Kysely<Tables>, now: string): Promise<CommandRow[]> =>
  commandsIn(db)
    .where('reconcile_until', '>', now)
    .where('state', '=', 'not_applied')
    .orderBy('reconcile_until')
    .limit(OPEN_MAX)
    .execute()

export const findChallengedBefore = (db: Kysely<Tables>, before: string): Promise<CommandRow[]> =>
  commandsIn(db).where('state', '=', 'challenged').where('sent_at', '<', before).limit(OPEN_MAX).execute()

interface LeftSent {
  readonly bootId: string
  /** No other process can have this store open. */
  readonly alone: boolean
  /** ISO 8601; no send takes longer. */
  readonly sentBefore: string
}

/** Includes commands of this process: the caller skips those that it is sending. */
export async function findLeftSent(db: Kysely<Tables>, { bootId, alone, sentBefore }: LeftSent): Promise<CommandRow[]> {
  const sent = commandsIn(db).where('state', '=', 'sent').orderBy('created_at').limit(OPEN_MAX)
  if (alone) return await sent.execute()
  return await sent
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('boot_id', '=', bootId),
        eb('sent_at', '<', sentBefore),
        not(
          exists(
            selectFrom('console_process')
              .select('console_process.boot_id')
              .whereRef('console_process.boot_id', '=', 'command.boot_id')
              .where('beat_at', '>', sql<number>`extract(epoch FROM clock_timestamp()) - ${DEAD_AFTER_SECONDS}`),
          ),
        ),
      ]),
    )
    .execute()
}

/** A batch counts as one; `except` does not count. */
export async function countDraftsSince(
  db: Kysely<Tables>,
  actor: string,
  since: string,
  except: string | null = null,
): Promise<number> {
  const act = sql<string>`coalesce(batch, id)`
  const { count } = await db
    .selectFrom('command')
    .select(({ fn }) => fn.count<number>(act).distinct().as('count'))
    .where('actor', '=', actor)
    .where('created_at', '>', since)
    .where('kind', 'not in', ['access.refused', 'evidence.export'])
    .where(act, 'is distinct from', except)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countOpen(db: Kysely<Tables>): Promise<OpenCounts> {
  const [rows, unhandled] = await Promise.all([
    db
      .selectFrom('command')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('state', 'in', ['unknown', 'accepted'])
      .groupBy('state')
      .execute(),
    countRows(db.selectFrom('command').where('state', '=', 'not_applied').where('handled_at', 'is', null)),
  ])
  const of = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0)
  return { unknown: of('unknown'), accepted: of('accepted'), unhandled }
}

export const countChangesNeedingAttention = (db: Kysely<Tables>): Promise<number> =>
  countRows(db.selectFrom('command').where(needsAttention))

export const countSentBy = (db: Kysely<Tables>, actor: string, since: string): Promise<number> =>
  countRows(db.selectFrom('command').where('actor', '=', actor).where('sent_at', '>=', since))

const UNDER_WAY = ['awaiting_approval', 'sent', 'challenged', 'accepted', 'unknown'] as const

export async function readUnderWay(db: Kysely<Tables>) {
  const rows = await db
    .selectFrom('command')
    .select(({ fn }) => [
      'state',
      fn.countAll<number>().as('count'),
      sql<string>`min(coalesce(sent_at, created_at))`.as('oldest'),
    ])
    .where('state', 'in', UNDER_WAY)
    .groupBy('state')
    .execute()
  return UNDER_WAY.map((state) => {
    const row = rows.find((one) => one.state === state)
    return { state, count: Number(row?.count ?? 0), oldestAt: row?.oldest ?? null }
  })
}
