import 'server-only'
import type { Kysely } from 'kysely'
import type { ChangeRule } from '#lib/authorization/table.ts'
import { ruleOfChange } from '#lib/commands/access.ts'
import { type ApprovalNeed, commandNamed } from '#lib/commands/kind.ts'
import { type CommandRow, factsOf, paramsOf, userIdOf } from '#lib/commands/row.ts'
import { log } from '#lib/config/log.ts'
import type { Tables } from '#lib/store/tables.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { counted } from '#lib/values/words.ts'
import { findRequest } from './approval-table.ts'
import { KNOWN_DAYS, type KnownPeople, mayDecide, readKnownPeople } from './known-people.ts'

type Change = Pick<CommandRow, 'actor' | 'kind' | 'params' | 'facts'>

/** Too few of the known people can approve the change. */
export interface Shortage {
  readonly need: ApprovalNeed
  /** Other people with the scopes. */
  readonly holders: number
  /** Of these, parties and people who entered its data. */
  readonly barred: number
  readonly able: number
}

/** Null if enough could, or if people whose scopes are not known may be enough. */
export async function findShortage(
  db: Kysely<Tables>,
  change: Change,
  need: ApprovalNeed,
  known?: KnownPeople,
): Promise<Shortage | null> {
  const barred = await barredFrom(db, change)
  return shortageOf(known ?? (await readKnownPeople(db)), ruleOfChange(change), need, { author: change.actor, barred })
}

/** For the answer to a request that is stored: a failure here must not hide it. */
export async function noticeOfShortage(
  db: Kysely<Tables>,
  row: Change & Pick<CommandRow, 'id'>,
): Promise<{ readonly notice?: string }> {
  try {
    const request = await findRequest(db, row.id)
    const shortage = request === null ? null : await findShortage(db, row, request)
    return shortage === null ? {} : { notice: shortageWords(shortage) }
  } catch {
    log().warn({ event: 'approvers', id: row.id }, 'the people who could approve a change could not be read')
    return {}
  }
}

export function shortageOf(
  { people, unread }: KnownPeople,
  access: ChangeRule,
  need: ApprovalNeed,
  { author, barred }: { readonly author: string; readonly barred: readonly string[] },
): Shortage | null {
  const isBarred = (actor: string) => barred.some((one) => sameAccount(one, actor))
  const holders = people.filter((person) => person.actor !== author && mayDecide(person, access, need))
  const free = holders.filter(({ actor }) => !isBarred(actor))
  const able = need.passkey ? free.filter(({ hasPasskey }) => hasPasskey) : free
  const perhaps = unread.filter((actor) => actor !== author && userIdOf(actor) !== null && !isBarred(actor))
  if (able.length + perhaps.length >= need.by) return null
  return { need, holders: holders.length, barred: holders.length - free.length, able: able.length }
}

async function barredFrom(db: Kysely<Tables>, change: Change): Promise<readonly string[]> {
  const kind = commandNamed(change.kind)
  const params = paramsOf(change)
  const parties = kind?.parties?.(params, factsOf(change)) ?? []
  return [...parties.map((party) => `sso:${party}`), ...((await kind?.enteredBy?.(db, params)) ?? [])]
}

export function shortageWords({ need, holders, barred, able }: Shortage): string {
  const who =
    able === 0
      ? 'Nobody who signed in within'
      : `Only ${counted(able, 'person', 'people')} of ${need.by} needed who signed in within`
  return `${who} the last ${KNOWN_DAYS} days can approve this: ${reasonWords({ need, holders, barred, able })}.`
}

function reasonWords({ need, holders, barred, able }: Shortage): string {
  const scopes = need.scopes.length > 0 ? 'the scopes' : 'the scope'
  const held = need.administers ? 'administrator rights' : scopes
  if (holders === 0) return `nobody else has ${held}`
  const parts = [`${counted(holders, 'other person', 'other people')} with ${held}`]
  if (barred > 0) parts.push(`${barred} ${barred === 1 ? 'is a party' : 'are parties'} or entered its data`)
  if (need.passkey && holders > barred) {
    const having = able === 0 ? 'none' : `only ${able}`
    parts.push(`${having}${barred > 0 ? ' of the rest' : ''} ${able > 1 ? 'have' : 'has'} a passkey`)
  }
  return parts.join(', ')
}
