import 'server-only'
import type { Kysely } from 'kysely'
import { type ApprovalNeed, commandNamed } from '#lib/commands/kind.ts'
import type { Policy } from '#lib/config/policy.ts'
import { type EventRow, isGenuine } from '#lib/journal/event.ts'
import type { Tables } from '#lib/store/tables.ts'
import { Money } from '#lib/values/money.ts'
import { findShortage, type Shortage } from './approvers.ts'
import { verdictOf } from './gate.ts'
import { readKnownPeople } from './known-people.ts'
import {
  COUNTED,
  flagsOf,
  hasLimit,
  isWithin,
  LIMIT_SECONDS,
  type LimitRule,
  policyInputOf,
  rulesOn,
} from './limits.ts'

export interface Decision {
  readonly id: string
  readonly kind: string
  readonly actor: string
  readonly actorName: string
  readonly target: string
  readonly params: string
  readonly facts: string
  readonly at: string
  /** False after a code: the change was judged before. */
  readonly first: boolean
  readonly denied: boolean
  /** Null also if an earlier decision about this change needed as much. */
  readonly need: ApprovalNeed | null
  readonly passkey: boolean
  /** The policy asks or denies something of this change for the first time. */
  readonly met: boolean
}

export interface RehearsalOptions {
  /** ISO 8601. */
  readonly since: string
  /** Events per read. */
  readonly page?: number
}

const PAGE = 1_000
const DAY_MS = LIMIT_SECONDS * 1000

/** A change that was sent less than 24 hours before, as the policy would have it. */
interface Sent {
  readonly at: number
  readonly used: readonly string[]
  readonly amount: Money
  readonly need: ApprovalNeed | null
  readonly passkey: boolean
  readonly denied: boolean
  isChallenged: boolean
  counts: boolean
}

const NOTHING = Money.fromWire('0') as Money

/** Use of limits by person and rule in 24 hours. Holds the changes of one day, and those that wait for a code. */
class UseOfLimits {
  readonly #sent = new Map<string, Sent>()
  readonly #waiting = new Map<string, Sent>()
  readonly #used = new Map<string, { count: number; sum: Money }>()

  find(id: string): Sent | undefined {
    return this.#sent.get(id) ?? this.#waiting.get(id)
  }

  usedBy(key: string) {
    const { count, sum } = this.#used.get(key) ?? { count: 0, sum: NOTHING }
    return { count, sum: sum.toExact() }
  }

  put(id: string, sent: Sent): void {
    this.#sent.set(id, sent)
    if (sent.counts) this.#add(sent, 1)
  }

  /** It had no effect. */
  settle(id: string, sent: Sent): void {
    this.#uncount(sent)
    this.#waiting.delete(id)
  }

  remove(id: string): void {
    const sent = this.#sent.get(id)
    if (sent !== undefined) this.#uncount(sent)
    this.#sent.delete(id)
    this.#waiting.delete(id)
  }

  /** Changes leave in the order in which they were sent. */
  removeUntil(time: number): void {
    for (const [id, sent] of this.#sent) {
      if (sent.at > time) return
      this.remove(id)
      if (sent.isChallenged) this.#waiting.set(id, sent)
    }
  }

  #uncount(sent: Sent): void {
    if (sent.counts) this.#add(sent, -1)
    sent.counts = false
  }

  #add({ used, amount }: Sent, by: 1 | -1): void {
    for (const key of used) {
      const { count, sum } = this.#used.get(key) ?? { count: 0, sum: NOTHING }
      if (count + by === 0) this.#used.delete(key)
      else this.#used.set(key, { count: count + by, sum: by === 1 ? sum.plus(amount) : sum.minus(amount) })
    }
  }
}

/** In order. A denied change uses no limit; one that needs an approval or a passkey gets it. Changes nothing. */
export async function* replay(
  db: Kysely<Tables>,
  policy: Policy,
  { since, page = PAGE }: RehearsalOptions,
): AsyncGenerator<Decision | 'not-genuine'> {
  const uses = new UseOfLimits()
  const from = new Date(Date.parse(since) - DAY_MS).toISOString()
  let last = 0
  for (;;) {
    const events = await readEvents(db, from, last, page)
    for (const event of events) {
      last = event.sequence
      if (!isGenuine(event)) {
        if (event.at >= since) yield 'not-genuine'
        continue
      }
      uses.removeUntil(Date.parse(event.at) - DAY_MS)
      const decision = event.state === 'sent' ? await judgeSent(db, policy, uses, event) : settleUse(uses, event)
      if (decision !== null && event.at >= since) yield decision
    }
    if (events.length < page) return
  }
}

/** States that the limits count alike need no reading. */
const READ_STATES = ['sent', 'challenged', 'refused', 'closed']

type CommandEvent = EventRow & { readonly command_id: string }

const readEvents = (db: Kysely<Tables>, from: string, after: number, page: number): Promise<CommandEvent[]> =>
  db
    .selectFrom('command_event')
    .selectAll()
    .$narrowType<{ command_id: string }>()
    .where('command_id', 'is not', null)
    .where('sequence', '>', after)
    .where('at', '>=', from)
    .where('state', 'in', READ_STATES)
    .orderBy('sequence')
    .limit(page)
    .execute()

function settleUse(uses: UseOfLimits, { command_id, state }: CommandEvent): null {
  const sent = uses.find(command_id)
  if (sent === undefined) return null
  sent.isChallenged = state === 'challenged'
  if (!COUNTED.includes(state)) uses.settle(command_id, sent)
  return null
}

type Body = Readonly<Record<'kind' | 'target' | 'actorName', string>> & {
  readonly params: unknown
  readonly facts: unknown
}

async function judgeSent(
  db: Kysely<Tables>,
  policy: Policy,
  uses: UseOfLimits,
  { command_id: id, at, actor, body }: CommandEvent,
): Promise<Decision | null> {
  const before = uses.find(id)
  // A note about a change that is being sent, or one that this policy stopped.
  if (before !== undefined && (!before.isChallenged || before.denied)) return null
  const { kind, target, actorName, ...texts } = JSON.parse(body) as Body
  if (commandNamed(kind) === undefined) return null
  uses.remove(id)
  const row = { id, kind, actor, params: JSON.stringify(texts.params), facts: JSON.stringify(texts.facts) }
  const input = { ...row, ...policyInputOf(row) }
  const rules = rulesOn(input, await flagsOf(db, row, policy), policy)
  const limits = rules.filter(hasLimit)
  const keyOf = (rule: LimitRule) => `${policy.rules.indexOf(rule)} ${actor}`
  const beyond = limits.filter((rule) => !isWithin(rule, uses.usedBy(keyOf(rule)), input)).map((rule) => ({ rule }))
  const always = rules.filter((rule) => !hasLimit(rule))
  const { denied, ...required } = verdictOf(row, always, beyond)
  const need = covers(before?.need ?? null, required.need) ? null : required.need
  const passkey = required.passkey !== null && before?.passkey !== true
  // An approval that is missing only after the code ends the change.
  const isStopped = denied !== null || (before !== undefined && need !== null)
  uses.put(id, {
    at: Date.parse(at),
    used: limits.map(keyOf),
    amount: (input.amount === null ? null : Money.fromWire(input.amount)) ?? NOTHING,
    need: required.need,
    passkey: required.passkey !== null,
    denied: isStopped,
    isChallenged: false,
    counts: !isStopped,
  })
  const decided = denied === null ? { denied: false, need, passkey } : { denied: true, need: null, passkey: false }
  const wasMet = before !== undefined && (before.need !== null || before.passkey)
  const met = !wasMet && (decided.denied || decided.need !== null || decided.passkey)
  return { ...row, actorName, target, at, first: before === undefined, ...decided, met }
}

const covers = (given: ApprovalNeed | null, need: ApprovalNeed | null): boolean =>
  need === null ||
  (given !== null &&
    given.by >= need.by &&
    (given.passkey || !need.passkey) &&
    need.scopes.every((scope) => given.scopes.includes(scope)))

export interface Tally {
  sent: number
  /** Denied, or in need of an approval or a passkey. */
  met: number
  denied: number
  approvals: number
  passkeys: number
  nobody: number
}

export interface KindTally extends Tally {
  readonly kind: string
}

export interface PersonTally extends Tally {
  readonly actor: string
  /** As last used. */
  name: string
  readonly hasPasskey: boolean
}

export interface Unapprovable extends Pick<Decision, 'id' | 'kind' | 'actor' | 'actorName' | 'target' | 'at'> {
  readonly shortage: Shortage
}

export interface Rehearsal {
  readonly since: string
  readonly until: string
  readonly sent: number
  readonly met: number
  readonly notGenuine: number
  readonly kinds: readonly KindTally[]
  /** Those with anything needed or denied. */
  readonly people: readonly PersonTally[]
  /** The latest {@link UNAPPROVABLE_MAX}. */
  readonly unapprovable: readonly Unapprovable[]
}

export const UNAPPROVABLE_MAX = 200
const NO_TALLY: Tally = { sent: 0, met: 0, denied: 0, approvals: 0, passkeys: 0, nobody: 0 }

export async function rehearsePolicy(
  db: Kysely<Tables>,
  policy: Policy,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const rehearsal = rehearseInSteps(db, policy, options)
  for (;;) {
    const step = await rehearsal.next()
    if (step.done) return step.value
  }
}

const STEP = 1_000

/** Yields the number of changes judged so far. */
export async function* rehearseInSteps(
  db: Kysely<Tables>,
  policy: Policy,
  options: RehearsalOptions,
): AsyncGenerator<number, Rehearsal, undefined> {
  const until = new Date().toISOString()
  const known = await readKnownPeople(db)
  const withPasskey = new Set(
    (await db.selectFrom('passkey').select('actor').distinct().execute()).map(({ actor }) => actor),
  )
  const kinds = new Map<string, KindTally>()
  const people = new Map<string, PersonTally>()
  const unapprovable: Unapprovable[] = []
  const total = { sent: 0, met: 0, notGenuine: 0 }
  for await (const decision of replay(db, policy, options)) {
    if (decision === 'not-genuine') {
      total.notGenuine += 1
      continue
    }
    const { id, kind, actor, actorName, target, at, need } = decision
    const shortage = need === null ? null : await findShortage(db, decision, need, known)
    const ofKind = getOrPut(kinds, kind, { kind, ...NO_TALLY })
    const ofPerson = getOrPut(people, actor, {
      actor,
      name: actorName,
      hasPasskey: withPasskey.has(actor),
      ...NO_TALLY,
    })
    ofPerson.name = actorName
    for (const tally of [ofKind, ofPerson]) count(tally, decision, shortage)
    total.sent += decision.first ? 1 : 0
    total.met += decision.met ? 1 : 0
    if (shortage !== null) unapprovable.push({ id, kind, actor, actorName, target, at, shortage })
    if (unapprovable.length > UNAPPROVABLE_MAX) unapprovable.shift()
    if (decision.first && total.sent % STEP === 0) yield total.sent
  }
  const most = (one: Tally, other: Tally) => other.met - one.met || other.sent - one.sent
  return {
    since: options.since,
    until,
    ...total,
    kinds: [...kinds.values()].sort(most),
    people: [...people.values()].filter(({ met }) => met > 0).sort(most),
    unapprovable,
  }
}

function getOrPut<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  const known = map.get(key) ?? value
  map.set(key, known)
  return known
}

function count(tally: Tally, { first, met, denied, need, passkey }: Decision, shortage: Shortage | null): void {
  if (first) tally.sent += 1
  if (met) tally.met += 1
  if (denied) tally.denied += 1
  if (need !== null) tally.approvals += 1
  if (passkey) tally.passkeys += 1
  if (shortage !== null) tally.nobody += 1
}
