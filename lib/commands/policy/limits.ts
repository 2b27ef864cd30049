import 'server-only'
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { PolicyRule } from '#lib/config/policy.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'
import { Money } from '#lib/values/money.ts'
import { hasLimit, type LimitRule, limitRules, type PolicyInput, rulesOn } from './rules.ts'

export const LIMIT_HOURS = 24
export const LIMIT_SECONDS = LIMIT_HOURS * 3600

/** Everything sent, except known failures. */
export const COUNTED: readonly string[] = [
  'sent',
  'challenged',
  'unknown',
  'accepted',
  'done',
  'applied',
  'not_applied',
]

export interface Used {
  readonly count: number
  readonly sum: string
  /** ISO 8601: when the oldest counted change leaves the 24 hours. */
  readonly lessAt: string | null
}

export interface LimitBreach {
  readonly rule: LimitRule
  readonly used: Used
  /** ISO 8601, if nothing else is sent; null if it never fits. */
  readonly fitsAt: string | null
}

/** Locks the person's use of this kind, so that of two simultaneous changes the second counts the first. */
export async function limitBreaches(trx: Trx, change: PolicyInput): Promise<readonly LimitBreach[]> {
  const rules = rulesOn(change).filter(hasLimit)
  if (rules.length === 0) return []
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`limits ${change.actor} ${change.kind}`}, 0))`.execute(trx)
  const beyond: LimitBreach[] = []
  for (const rule of rules) {
    const used = await readUsed(trx, change.actor, rule, change.id)
    if (!isWithin(rule, used, change)) beyond.push({ rule, used, fitsAt: await fitsAt(trx, rule, used, change) })
  }
  return beyond
}

/** An unknown amount fits into no sum. */
export function isWithin(
  { limit }: LimitRule,
  used: Pick<Used, 'count' | 'sum'>,
  { amount }: Pick<PolicyInput, 'amount'>,
): boolean {
  if (limit.count !== undefined && used.count >= limit.count) return false
  if (limit.sum === undefined) return true
  const [left, requested] = [leftOf(limit.sum, used.sum), amount === null ? null : Money.fromWire(amount)]
  return left !== null && requested !== null && !requested.isMoreThan(left)
}

export function leftOf(sum: string, used: string): Money | null {
  const [whole, part] = [Money.fromWire(sum), Money.fromWire(used)]
  return whole === null || part === null ? null : whole.minus(part)
}

/** `except`: the judged change itself, which may have been sent before. */
export async function readUsed(
  db: Kysely<Tables>,
  actor: string,
  rule: LimitRule,
  except: string | null = null,
): Promise<Used> {
  const { count, sum, oldest } = await countedBy(db, actor, rule, except)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<string>`coalesce(sum(amount), 0)::text`.as('sum'),
      fn.min('counted_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(count), sum, lessAt: oldest === null ? null : endOfCounting(oldest) }
}

const endOfCounting = (countedAt: number): string => new Date((countedAt + LIMIT_SECONDS) * 1000).toISOString()

export interface Moved {
  readonly kind: string
  readonly count: number
  readonly sum: string | null
}

export async function readMoved(db: Kysely<Tables>, actor: string): Promise<readonly Moved[]> {
  const rows = await db
    .selectFrom('command')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count'), sql<string | null>`sum(amount)::text`.as('sum')])
    .where('actor', '=', actor)
    .where('state', 'in', COUNTED)
    .where('counted_at', '>', sql<number>`${databaseNow} - ${LIMIT_SECONDS}`)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, count, sum }) => ({ kind, count: Number(count), sum }))
}

const countedBy = (db: Kysely<Tables>, actor: string, rule: PolicyRule, except: string | null) =>
  db
    .selectFrom('command')
    .where('actor', '=', actor)
    .where('counted_at', '>', sql<number>`${databaseNow} - ${LIMIT_SECONDS}`)
    .where((where) => where.and([counts(rule), ...(except === null ? [] : [where('id', '!=', except)])]))

function counts({ kind, when }: PolicyRule): Expression<SqlBool> {
  const parts = [sql<SqlBool>`kind = ${kind}`, sql<SqlBool>`state IN (${sql.join(COUNTED)})`]
  if (when.decision !== undefined) parts.push(sql`decision = ${when.decision}`)
  if (when.amountAtLeast !== undefined) parts.push(sql`(amount IS NULL OR amount >= ${when.amountAtLeast}::numeric)`)
  return sql.join(parts, sql` AND `)
}

/** Shares for the metrics, no amounts. */
export async function highestUse(db: Kysely<Tables>) {
  const highest = new Map<string, { kind: string; of: 'sum' | 'count'; share: number }>()
  for (const rule of limitRules()) {
    const { sum, count } = rule.limit
    const { rows } = await sql<{ sum: number | null; count: number | null }>`
      SELECT max(sum / ${sum ?? null}::numeric)::float8 AS sum, max(count / ${count ?? null}::float8) AS count
      FROM (SELECT sum(coalesce(amount, 0)) AS sum, count(*) AS count FROM command
        WHERE ${counts(rule)} AND counted_at > ${databaseNow} - ${LIMIT_SECONDS} GROUP BY actor) AS people`.execute(db)
    for (const part of ['sum', 'count'] as const) {
      if (rule.limit[part] === undefined) continue
      const [key, share] = [`${rule.kind} ${part}`, rows[0]?.[part] ?? 0]
      highest.set(key, { kind: rule.kind, of: part, share: Math.max(share, highest.get(key)?.share ?? 0) })
    }
  }
  return [...highest.values()]
}

export async function fitsAt(
  db: Kysely<Tables>,
  rule: LimitRule,
  used: Used,
  change: PolicyInput,
): Promise<string | null> {
  const { sum, count } = rule.limit
  const tooMany = count === undefined ? 0 : used.count + 1 - count
  const left = sum === undefined ? null : leftOf(sum, used.sum)
  const requested = change.amount === null ? null : Money.fromWire(change.amount)
  if (sum !== undefined && (left === null || requested === null)) return null
  const tooMuch = left === null || requested === null ? '0' : requested.minus(left).toExact()
  const row = await db
    .with('freed', () =>
      countedBy(db, change.actor, rule, change.id).select([
        'counted_at',
        sql<number>`count(*) OVER (ORDER BY counted_at, id)`.as('count'),
        sql<string>`sum(coalesce(amount, 0)) OVER (ORDER BY counted_at, id)`.as('sum'),
      ]),
    )
    .selectFrom('freed')
    .select('counted_at')
    .where('count', '>=', tooMany)
    .where(sql<SqlBool>`freed.sum >= ${tooMuch}::numeric`)
    .orderBy('counted_at')
    .limit(1)
    .executeTakeFirst()
  return row?.counted_at == null ? null : endOfCounting(row.counted_at)
}
