import 'server-only'
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import { type AnyFacts, commandNamed, type PolicyFlags } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import type { Policy, PolicyRule } from '#lib/config/policy.ts'
import { genuineBodies, wellFormed } from '#lib/journal/event.ts'
import { databaseNow } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { isAmount } from '#lib/values/amount-text.ts'
import { Money } from '#lib/values/money.ts'

export interface PolicyInput {
  readonly id: string
  /** One person, however they signed in. */
  readonly actor: string
  readonly kind: string
  /** Decimal text; null if unknown. */
  readonly amount: string | null
  readonly decision: string | null
}

export type LimitRule = PolicyRule & { readonly limit: NonNullable<PolicyRule['limit']> }

export const hasLimit = (rule: PolicyRule): rule is LimitRule => rule.limit !== undefined

export const limitRules = (): readonly LimitRule[] => config().policy.rules.filter(hasLimit)

const NO_FLAGS: PolicyFlags = { enteredByHand: false, foundInText: false, freedByHand: false }

/** An unreadable amount is null; rules treat it as high enough. */
export function policyInputOf({ kind, params, facts }: Pick<CommandRow, 'kind' | 'params' | 'facts'>) {
  const input = commandNamed(kind)?.policyInput?.(JSON.parse(params), JSON.parse(facts) as AnyFacts)
  const { amount, decision = null } = input ?? {}
  return { amount: amount !== undefined && isAmount(amount) ? amount : null, decision }
}

type Rules = Pick<Policy, 'rules'>

export async function readFlags(
  db: Kysely<Tables>,
  { kind, params }: Pick<CommandRow, 'kind' | 'params'>,
  { rules }: Rules = config().policy,
) {
  const isAsked = rules.some(
    ({ kind: one, when }) => one === kind && (when.enteredByHand || when.foundInText || when.freedByHand),
  )
  return isAsked ? ((await commandNamed(kind)?.policyFlags?.(db, JSON.parse(params))) ?? null) : null
}

/** Present marks and those of the draft: the tables may change in between. */
export async function flagsOf(
  db: Kysely<Tables>,
  row: Pick<CommandRow, 'id' | 'kind' | 'params'>,
  policy: Rules = config().policy,
): Promise<PolicyFlags> {
  const now = await readFlags(db, row, policy)
  if (now === null) return NO_FLAGS
  const [draft] = await genuineBodies(db, row.id)
  const then = (draft?.judged as { readonly marks?: PolicyFlags | null } | undefined)?.marks ?? NO_FLAGS
  return {
    enteredByHand: now.enteredByHand || then.enteredByHand,
    foundInText: now.foundInText || then.foundInText === true,
    freedByHand: now.freedByHand || then.freedByHand,
  }
}

export const rulesOn = (
  change: Pick<PolicyInput, 'kind' | 'amount' | 'decision'>,
  marks: PolicyFlags = NO_FLAGS,
  { rules }: Rules = config().policy,
): readonly PolicyRule[] =>
  rules.filter(({ kind, when }) => {
    if (kind !== change.kind) return false
    if (when.decision !== undefined && when.decision !== change.decision) return false
    for (const flag of ['enteredByHand', 'foundInText', 'freedByHand'] as const) {
      if (when[flag] && !marks[flag]) return false
    }
    return when.amountAtLeast === undefined || isAtLeast(change.amount, when.amountAtLeast)
  })

function isAtLeast(amount: string | null, least: string): boolean {
  const [value, bound] = [amount === null ? null : Money.fromWire(amount), Money.fromWire(least)]
  return value === null || bound === null || !bound.isMoreThan(value)
}

type Effect = Pick<CommandRow, 'id' | 'kind' | 'actor' | 'params' | 'facts' | 'policy' | 'confirm_text'>

/** SHA-256 of the canonical JSON (RFC 8785) in hexadecimal. */
export function effectDigest({ id, kind, actor, params, facts, policy, confirm_text }: Effect): string {
  const effect = {
    id,
    kind,
    actor,
    params: JSON.parse(params, wellFormed) as unknown,
    facts: JSON.parse(facts, wellFormed) as unknown,
    policy,
    ...(confirm_text === null ? {} : { confirmText: sha256(JSON.parse(confirm_text, wellFormed)) }),
  }
  return sha256(effect)
}

const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex')

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
