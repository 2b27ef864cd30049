import type { Insertable } from 'kysely'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import type { DisputeSubject } from './dispute-subject.ts'
import { saidInThread, timesBetween } from './thread.ts'

export interface Party {
  readonly userId: string
  readonly firstName: string
}

export interface SeedCase {
  readonly referenceId: string
  readonly subject: DisputeSubject
  readonly reason: string
  readonly amount: string
  readonly payer: Party
  readonly recipient: Party
  readonly raisedAt: string
  /** Includes system messages. */
  readonly messages: number
  readonly arbitratorId: string
  readonly resolved: SeedResolution | null
}

export interface SeedResolution {
  readonly at: string
  readonly reason: string
  /** Null when the recipient kept the money. */
  readonly reversal: string | null
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

  add(subject: SeedCase): void {
    const id = newUuid(this.#random)
    const { payer, recipient, resolved } = subject
    this.cases.push({
      id,
      reference_id: subject.referenceId,
      raised_by_user_id: payer.userId,
      counterparty_user_id: recipient.userId,
      status: resolved === null ? 'OPEN' : 'RESOLVED',
      reason: subject.reason,
      resolution_outcome: resolved === null ? null : outcomeOf(resolved),
      resolution_reason: resolved?.reason ?? null,
      resolved_by_user_id: resolved === null ? null : subject.arbitratorId,
      created_at: subject.raisedAt,
      resolved_at: resolved?.at ?? null,
    })
    this.messages.push(
      ...this.#thread(subject).map((message, index) => ({
        id: newUuid(this.#random),
        case_id: id,
        position: index + 1,
        ...message,
      })),
    )
  }

  #thread(subject: SeedCase): Written[] {
    const { payer, recipient, raisedAt, resolved } = subject
    const byPeople = subject.messages - (resolved === null ? 1 : 2)
    const firstNames = { payer: payer.firstName, recipient: recipient.firstName }
    const said = saidInThread(this.#random, { subject: subject.subject, amount: subject.amount, firstNames }, byPeople)
    const times = timesBetween(this.#random, raisedAt, resolved?.at ?? this.#now, byPeople)
    const senders = { payer: payer.userId, recipient: recipient.userId, arbitrator: subject.arbitratorId }
    return [
      { sender_user_id: null, body: OPENED, created_at: raisedAt },
      ...said.map(({ speaker, body }, index) => ({
        sender_user_id: senders[speaker],
        body,
        created_at: times[index] ?? raisedAt,
      })),
      ...(resolved === null ? [] : [{ sender_user_id: null, body: closing(resolved), created_at: resolved.at }]),
    ]
  }
}

type Written = Pick<Insertable<Tables['dispute_message']>, 'sender_user_id' | 'body' | 'created_at'>

const OPENED = 'Opened by the sender. The money stays in escrow until the case is resolved.'

const closing = ({ reversal }: SeedResolution): string =>
  reversal === null ? 'Resolved: the recipient keeps the money.' : `Resolved: the sender is refunded by ${reversal}.`

const outcomeOf = ({ reversal }: SeedResolution): string => (reversal === null ? 'RELEASED' : 'REFUNDED')
