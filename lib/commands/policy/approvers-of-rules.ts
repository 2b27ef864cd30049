import 'server-only'
import type { Kysely } from 'kysely'
import { changes } from '#lib/authorization/table.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import type { PolicyRule } from '#lib/config/policy.ts'
import type { Tables } from '#lib/store/tables.ts'
import { holds, KNOWN_DAYS, type KnownPeople, type KnownPerson, mayDecide, readKnownPeople } from './known-people.ts'
import { ruleName } from './rule-words.ts'

/** Sentences about rules that too few of the people known to the console can satisfy. */
export async function unsatisfiableRules(db: Kysely<Tables>, rules: readonly PolicyRule[]): Promise<readonly string[]> {
  const known = await readKnownPeople(db)
  return rules.flatMap((rule, at) => faultsOfRule(rule, known).map((fault) => `${ruleName(rule, at)}: ${fault}`))
}

function faultsOfRule(rule: PolicyRule, known: KnownPeople): readonly string[] {
  const { approval, passkey } = rule
  const { change } = changes[rule.kind]
  const senders = known.people.filter((person) => holds(person, change))
  const unsent = passkey && senders.every(({ hasPasskey }) => !hasPasskey) && known.unread.length === 0
  const shortage = approval === undefined ? null : approversShort(rule, approval, known)
  return [
    ...(unsent ? ['nobody with the scope has a passkey, so nobody can send it.'] : []),
    ...(shortage === null ? [] : [shortage]),
  ]
}

function approversShort(
  { kind, passkey: isSigned }: PolicyRule,
  { by, scope, passkey }: NonNullable<PolicyRule['approval']>,
  { people, unread }: KnownPeople,
): string | null {
  const need: ApprovalNeed = {
    by,
    scopes: scope === undefined ? [] : [scope],
    passkey: passkey === true,
    administers: false,
  }
  const holders = people.filter((person) => mayDecide(person, changes[kind], need))
  const able = passkey ? holders.filter(({ hasPasskey }) => hasPasskey) : holders
  const isShort = able.length + unread.length < by
  const senders = people.filter((person) => holds(person, changes[kind].change) && (!isSigned || person.hasPasskey))
  const isForOthers = senders.some((person) => !able.includes(person))
  if (able.length + unread.length > by || (!isShort && isForOthers)) return null
  const missing = isShort
    ? `${by} ${by === 1 ? 'is' : 'are'} needed`
    : `${by + 1} are needed, because nobody approves their own change`
  return `${haveWords(need, holders, able)}; ${missing}.`
}

function haveWords(
  { by, scopes }: ApprovalNeed,
  holders: readonly KnownPerson[],
  able: readonly KnownPerson[],
): string {
  const held = scopes.length === 0 ? 'the scope' : 'the scopes'
  const lacksPasskeys = able.length < holders.length && holders.length >= by
  const count = (lacksPasskeys ? able : holders).length
  const who = count === 0 ? 'nobody' : `only ${count} ${count === 1 ? 'person' : 'people'}`
  if (!lacksPasskeys) return `${who} with ${held} signed in within the last ${KNOWN_DAYS} days`
  return `${who} with ${held} ${count > 1 ? 'have' : 'has'} a passkey`
}
