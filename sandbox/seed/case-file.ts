import type { Insertable } from 'kysely'
import { formatTicks, parseTicks } from '#sandbox/world/clock.ts'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import { type DisputeSubject, disputeTexts } from './dispute-texts.ts'
import { drawBelow, drawFraction, drawFrom, shuffled } from './draw.ts'
import type { Payments, SeedPayment } from './payments.ts'

export interface Party {
  readonly userId: string
  readonly firstName: string
}

export interface SeedCase {
  readonly subject: DisputeSubject
  readonly reason: string
  readonly payer: Party
  readonly recipient: Party
  readonly raisedAt: string
  /** Includes system messages. */
  readonly messages: number
  readonly arbitratorId: string
  readonly resolved: { readonly at: string; readonly refund: boolean } | null
}

export class CaseFile {
  readonly cases: Insertable<Tables['dispute_case']>[] = []
  readonly messages: Insertable<Tables['dispute_message']>[] = []
  readonly #random: Randomness
  readonly #now: string

  constructor(random: Randomness, now: string) {
    this.#random = random
    this.#now = now
  }

  add(payments: Payments, payment: Omit<SeedPayment, 'fate'>, seeded: SeedCase): void {
    const { subject, payer, recipient, raisedAt, resolved } = seeded
    const outcome = resolved && { ...resolved, reason: resolved.refund ? subject.refunded : subject.released }
    const referenceId = payments.pay({
      ...payment,
      fate: 'disputed',
      dispute: { at: raisedAt, resolved: outcome ?? undefined },
    })
    const id = newUuid(this.#random)
    this.cases.push({
      id,
      reference_id: referenceId,
      raised_by_user_id: payer.userId,
      counterparty_user_id: recipient.userId,
      status: outcome === null ? 'OPEN' : 'RESOLVED',
      reason: seeded.reason,
      resolution_outcome: outcome && (outcome.refund ? 'REFUNDED' : 'RELEASED'),
      resolution_reason: outcome?.reason ?? null,
      resolved_by_user_id: outcome && seeded.arbitratorId,
      created_at: raisedAt,
      resolved_at: outcome?.at ?? null,
    })
    const thread = this.#thread(seeded, payment.amount, payments.reversalOf(referenceId))
    for (const [index, message] of thread.entries()) {
      this.messages.push({ id: newUuid(this.#random), case_id: id, position: index + 1, ...message })
    }
  }

  #thread(seeded: SeedCase, amount: string, reversal: string | null): Written[] {
    const { subject, payer, recipient, raisedAt, resolved } = seeded
    const byPeople = seeded.messages - (resolved === null ? 1 : 2)
    const firstNames = { payer: payer.firstName, recipient: recipient.firstName }
    const said = saidInThread(this.#random, { subject, amount, firstNames }, byPeople)
    const times = timesBetween(this.#random, raisedAt, resolved?.at ?? this.#now, byPeople)
    const senders = { payer: payer.userId, recipient: recipient.userId, arbitrator: seeded.arbitratorId }
    return [
      { sender_user_id: null, body: OPENED, created_at: raisedAt },
      ...said.map(({ speaker, body }, index) => ({
        sender_user_id: senders[speaker],
        body,
        created_at: times[index] ?? raisedAt,
      })),
      ...(resolved === null ? [] : [{ sender_user_id: null, body: closing(reversal), created_at: resolved.at }]),
    ]
  }
}

type Written = Pick<Insertable<Tables['dispute_message']>, 'sender_user_id' | 'body' | 'created_at'>

const OPENED = 'Opened by the sender. The money stays in escrow until the case is resolved.'

const closing = (reversal: string | null): string =>
  reversal === null ? 'Resolved: the recipient keeps the money.' : `Resolved: the sender is refunded by ${reversal}.`

type Speaker = 'payer' | 'recipient' | 'arbitrator'

interface Conversation {
  readonly subject: DisputeSubject
  readonly amount: string
  readonly firstNames: Readonly<Record<'payer' | 'recipient', string>>
}

const { further, places, hours, days } = disputeTexts

const ARBITRATED_FROM_MESSAGES = 5
const ONE_IN_SO_MANY_BY_THE_ARBITRATOR = 8
const ONE_IN_SO_MANY_SPEAKS_AGAIN = 5
const ONE_IN_SO_MANY_AT_ONCE = 16
/** Two messages this close have the same millisecond; only the seventh digit differs. */
const AT_ONCE_TICKS = 3n

function saidInThread(
  random: Randomness,
  conversation: Conversation,
  count: number,
): { speaker: Speaker; body: string }[] {
  const lines = {
    payer: linesOf(random, conversation.subject.payer, further.payer),
    recipient: linesOf(random, conversation.subject.recipient, further.recipient),
    arbitrator: linesOf(random, [], further.arbitrator),
  }
  const said: { speaker: Speaker; body: string }[] = []
  const bodies = new Set<string>()
  let party: 'payer' | 'recipient' = 'payer'
  while (said.length < count) {
    const speaker: Speaker = arbitratorSpeaks(random, said, count) ? 'arbitrator' : party
    const body = filled(random, conversation, speaker, lines[speaker]())
    if (bodies.has(body)) continue
    bodies.add(body)
    said.push({ speaker, body })
    const again = said.length > 1 && drawBelow(random, ONE_IN_SO_MANY_SPEAKS_AGAIN) === 0
    if (speaker === party && !again) party = party === 'payer' ? 'recipient' : 'payer'
  }
  return said
}

function arbitratorSpeaks(random: Randomness, said: readonly { speaker: Speaker }[], count: number): boolean {
  if (count < ARBITRATED_FROM_MESSAGES || said.length < 2 || said.at(-1)?.speaker === 'arbitrator') return false
  return drawBelow(random, ONE_IN_SO_MANY_BY_THE_ARBITRATOR) === 0
}

function linesOf(random: Randomness, first: readonly string[], others: readonly string[]): () => string {
  const waiting = [...first]
  return () => {
    if (waiting.length === 0) waiting.push(...shuffled(random, others))
    return waiting.shift() ?? ''
  }
}

function filled(random: Randomness, { amount, firstNames }: Conversation, speaker: Speaker, line: string): string {
  const addressed = { payer: 'recipient', recipient: 'payer', arbitrator: 'recipient' } as const
  const slots: Readonly<Record<string, () => string>> = {
    other: () => firstNames[addressed[speaker]],
    amount: () => `$${amount}`,
    place: () => drawFrom(random, places),
    hour: () => drawFrom(random, hours),
    day: () => drawFrom(random, days),
  }
  return line.replace(/\{(\w+)\}/g, (slot, name: string) => slots[name]?.() ?? slot)
}

function timesBetween(random: Randomness, from: string, to: string, count: number): string[] {
  const [start, end] = [parseTicks(from), parseTicks(to)]
  const span = Number(end - start)
  const parts = Array.from({ length: count }, () => drawFraction(random)).sort((a, b) => a - b)
  let last = start
  return parts.map((part) => {
    const atOnce = last > start && drawBelow(random, ONE_IN_SO_MANY_AT_ONCE) === 0
    const drawn = start + BigInt(Math.floor(part * span))
    const later = drawn > last ? drawn : last + 1n
    last = atOnce ? last + AT_ONCE_TICKS : later
    return formatTicks(last)
  })
}
