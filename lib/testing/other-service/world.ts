import { randomUUID } from 'node:crypto'
import { CLOCK_AHEAD_MS, type Variant, words } from './variants.ts'

/** What one change did here. A test counts these: a change that was sent once has one at most. */
export interface Effect {
  readonly what: string
  readonly of: string
  /** Whose change it was. */
  readonly by: string
}

export interface Payment {
  readonly referenceId: string
  readonly fromAccountId: string
  readonly toAccountId: string
  /** In units of 0.00000001, as is the fee, which the sender pays on top. */
  readonly units: bigint
  readonly fee: bigint
  readonly type: string
  state: string
  note: string
  failReason: string
  createdAt: string
  settledAt: string | null
}

export interface Message {
  readonly id: string
  readonly senderUserId: string | null
  readonly body: string
  readonly createdAt: string
}

export interface Case {
  readonly id: string
  readonly payment: Payment
  readonly messages: Message[]
  readonly createdAt: string
  outcome: string | null
  reason: string | null
  resolvedBy: string | null
  resolvedAt: string | null
}

export interface Terminal {
  readonly id: string
  readonly merchantId: string
  readonly terminalUid: string
  readonly label: string | null
  readonly registeredAt: string
  disabledAt: string | null
}

export interface IssuedCard {
  readonly id: string
  readonly userId: string
  readonly number: string
  readonly cardType: number
  readonly printedName: string
  readonly issuedAt: string
  blocked: boolean
}

/** A person, as far as a token tells, and their second factor. */
export interface Person {
  readonly userId: string
  refreshToken: string
  readonly admin: boolean
  factor: 'none' | 'pending' | 'on'
  enrolledAt: string | null
  wrongCodes: number
  lockedUntil: number | null
  readonly grants: Set<string>
}

const ONE = 100_000_000n
const RESERVE = 'ffffffff-0000-4000-8000-000000000001'
/** Where disputed money waits. */
const ESCROW = 'ffffffff-0000-4000-8000-000000000002'

/** By this service's clock, with seven digits. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '4321Z')
export const now = (): string => timeOf(Date.now() + CLOCK_AHEAD_MS)

/** Everything that the service keeps. Its rules are its own and share nothing with the sandbox's. */
export class World {
  variant: Variant
  readonly effects: Effect[] = []
  readonly people = new Map<string, Person>()
  readonly payments: Payment[] = []
  readonly cases: Case[] = []
  readonly terminals: Terminal[] = []
  readonly cards: IssuedCard[] = []

  constructor(variant: Variant) {
    this.variant = variant
  }

  /** A text as it is kept. */
  kept(text: string): string {
    return this.variant.texts === 'kept' ? text : text.normalize('NFC').replace(/\s+/g, ' ').trim()
  }

  happened(what: string, of: string, by: Person): void {
    this.effects.push({ what, of, by: by.userId })
  }

  /** Everything that was done to something, by anybody. */
  effectsOn(of: string): readonly Effect[] {
    return this.effects.filter((effect) => effect.of.toLowerCase() === of.toLowerCase())
  }

  payment(referenceId: string): Payment | undefined {
    return this.payments.find((one) => one.referenceId === referenceId)
  }

  /** A deposit that waits; its reference. */
  announce(holder: string, amount: bigint): string {
    return this.#append({
      from: RESERVE,
      to: holder,
      units: amount * ONE,
      fee: 0n,
      type: words.deposit,
      state: 'QUEUED',
    }).referenceId
  }

  /** A protected payment that is disputed; its reference. */
  dispute(sender: string, recipient: string, amount: bigint, fee: bigint): string {
    const units = amount * ONE
    return this.#append({ from: sender, to: recipient, units, fee, type: words.payment, state: 'DISPUTED' }).referenceId
  }

  /** A case about a disputed payment; its id. */
  raise(referenceId: string): string {
    const payment = this.payment(referenceId)
    if (payment === undefined) throw new Error('there is no such payment')
    const opening = { id: randomUUID(), senderUserId: null, body: 'Opened.', createdAt: now() }
    const opened = { id: randomUUID(), payment, messages: [opening], createdAt: now() }
    this.cases.push({ ...opened, outcome: null, reason: null, resolvedBy: null, resolvedAt: null })
    return opened.id
  }

  /** One of the two people writes. */
  write(caseId: string, senderUserId: string, body: string): void {
    const found = this.cases.find(({ id }) => id === caseId)
    found?.messages.push({ id: randomUUID(), senderUserId, body, createdAt: now() })
  }

  /** Where a confirmed deposit goes. It is credited at PROCESSING, and nowhere else. */
  moveDeposit(payment: Payment, state: Variant['confirming']['becomes'], by: Person): void {
    payment.state = state
    if (state === 'PROCESSING') this.happened('mint', payment.referenceId, by)
    if (state === 'FAIL') Object.assign(payment, { failReason: 'The mint refused it.', settledAt: now() })
  }

  /** Ends a dispute's hold. Answers the reference of the reversing transaction; null when the recipient keeps the money. */
  decide(payment: Payment, release: boolean, by: Person): string | null {
    Object.assign(payment, { state: 'PROCESSED', settledAt: now() })
    this.happened(release ? 'release' : 'refund', payment.referenceId, by)
    if (release) return null
    const { refund } = this.variant
    const back = this.#append({
      from: refund === 'from-escrow' ? ESCROW : payment.toAccountId,
      to: payment.fromAccountId,
      units: refund === 'without-fee' ? payment.units : payment.units + payment.fee,
      fee: 0n,
      type: words.reversal,
      state: 'PROCESSED',
    })
    back.settledAt = now()
    return back.referenceId
  }

  /** Decides a case: the money, and the case with it. Answers the reversing transaction's reference, if there is one. */
  decideCase(referenceId: string, release: boolean, reason: string, by: Person): string | null {
    const found = this.cases.find(({ payment }) => payment.referenceId === referenceId)
    if (found === undefined) throw new Error('there is no such case')
    const reversal = this.decide(found.payment, release, by)
    found.messages.push({ id: randomUUID(), senderUserId: null, body: 'Closed.', createdAt: now() })
    const outcome = release ? words.released : words.refunded
    Object.assign(found, { outcome, reason, resolvedBy: by.userId, resolvedAt: now() })
    return reversal
  }

  #append(given: { from: string; to: string; units: bigint; fee: bigint; type: string; state: string }): Payment {
    const payment = {
      // Opaque: it may hold anything.
      referenceId: `${this.payments.length}/é ?#%2F+${randomUUID()}`,
      fromAccountId: given.from,
      toAccountId: given.to,
      units: given.units,
      fee: given.fee,
      type: given.type,
      state: given.state,
      note: '',
      failReason: '',
      createdAt: now(),
      settledAt: null,
    }
    this.payments.push(payment)
    return payment
  }
}
