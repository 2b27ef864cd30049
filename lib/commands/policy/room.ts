import 'server-only'
import type { Kysely } from 'kysely'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { changes } from '#lib/authorization/table.ts'
import type { DraftLimit, Room } from '#lib/commands/command.ts'
import { log } from '#lib/config/log.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { judgeLimit } from './gate.ts'
import { holds, readKnownPeople } from './known-people.ts'
import { hasLimit, isWithin, type LimitRule, leftOf, limitRules, readUsed, rulesOn } from './limits.ts'
import { roomSentence } from './rule-words.ts'

const LEAST = '0.00000001'

/** `amount`: null if the kind has none or it is unreadable; undefined if it is not known yet. */
interface Planned {
  readonly kind: CommandKindName
  readonly amount?: string | null
}

/** One for each decision that a rule names, because none is chosen yet. */
const limitsOn = ({ kind, amount = null }: Planned): readonly LimitRule[] =>
  limitRules().filter(
    (rule) => rulesOn({ kind, amount, decision: rule.when.decision ?? null }, undefined, { rules: [rule] }).length > 0,
  )

/** What the gate would say now, before anything is drafted. Empty if no limit applies; null if it cannot be read. */
export async function readRoom(session: Session, planned: Planned): Promise<readonly Room[] | null> {
  const { kind } = planned
  const rules = limitsOn(planned)
  if (rules.length === 0) return []
  try {
    if ((await refusedToMake(session, changes[kind])) !== null) return []
    const db = await store()
    const room: Room[] = []
    for (const rule of rules) {
      const { decision = null, amountAtLeast = LEAST } = rule.when
      const amount = planned.amount === undefined ? amountAtLeast : planned.amount
      const limit = await judgeLimit(db, rule, { id: '', actor: session.actor, kind, amount, decision })
      room.push({ sentence: roomSentence(limit, leftIn(limit)), beyond: limit.beyond })
    }
    return room
  } catch {
    log().warn({ event: 'limit-read', kind }, 'the limits of a person could not be read')
    return null
  }
}

function leftIn({ sum }: DraftLimit): string | null {
  const left = sum === null ? null : leftOf(sum.limit, sum.used)
  return left && (left.isNegative() ? '0' : left.toExact())
}

/** Of amounts that are sent alone, those that do not fit now. */
export async function amountsBeyondLimit(
  db: Kysely<Tables>,
  { actor }: Pick<Session, 'actor'>,
  kind: CommandKindName,
  amounts: readonly string[],
): Promise<ReadonlySet<string>> {
  const beyond = new Set<string>()
  if (amounts.length === 0) return beyond
  for (const rule of limitsOn({ kind })) {
    const used = await readUsed(db, actor, rule)
    for (const amount of amounts) {
      if (limitsOn({ kind, amount }).includes(rule) && !isWithin(rule, used, { amount })) beyond.add(amount)
    }
  }
  return beyond
}

interface PlannedChange {
  readonly kind: CommandKindName
  readonly amount: string
}

/** Undefined if they may make the change within their own limits. */
export async function whyNoRoom(db: Kysely<Tables>, actor: string, planned: PlannedChange) {
  const { people } = await readKnownPeople(db)
  const person = people.find((one) => one.actor === actor && one.name !== '')
  if (person === undefined) return 'unknown'
  if (!holds(person, changes[planned.kind].change)) return 'scope'
  return (await fitsLimits(db, actor, planned)) ? undefined : 'limit'
}

async function fitsLimits(db: Kysely<Tables>, actor: string, { kind, amount }: PlannedChange): Promise<boolean> {
  for (const rule of rulesOn({ kind, amount, decision: null }).filter(hasLimit)) {
    if (!isWithin(rule, await readUsed(db, actor, rule), { amount })) return false
  }
  return true
}

export async function peopleWithRoom(db: Kysely<Tables>, session: Session, planned: PlannedChange) {
  const { people } = await readKnownPeople(db)
  const able = people.filter((one) => one.actor !== session.actor && holds(one, changes[planned.kind].change))
  const free: { readonly actor: string; readonly name: string }[] = []
  for (const { actor, name } of able) {
    if (name !== '' && (await fitsLimits(db, actor, planned))) free.push({ actor, name })
  }
  return free.sort((one, other) => one.name.localeCompare(other.name))
}
