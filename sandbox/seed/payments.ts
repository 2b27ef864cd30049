import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import { RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { formatUnits, parseUnits } from '#sandbox/ledger/amount.ts'
import type { NewRow, Posting } from '#sandbox/ledger/append.ts'
import { release, reserve, settle, transfer } from '#sandbox/ledger/movements.ts'
import { newReference, onChain } from '#sandbox/ledger/reference.ts'
import { DISPUTE_WINDOW_SECONDS, FEES, type GasTier, REFERENCE_KINDS } from '#sandbox/ledger/spend.ts'
import { firstRow, reversalRow } from '#sandbox/ledger/transaction-row.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Randomness } from '#sandbox/world/random.ts'
import type { Book, Written } from './book.ts'
import { drawBelow } from './draw.ts'

const HOLD_SECONDS = DEPOSIT_HOLD_HOURS * 3600
/** Time until an operator confirmed a deposit and until the bank paid a withdrawal. */
const CONFIRMED_AFTER_SECONDS = 1800
const PAID_OUT_AFTER_SECONDS = 4
const A_MOMENT_SECONDS = 2
const AN_HOUR_SECONDS = 3600
/** Keeps a seeded deposit PENDING, so that people can see one. */
const PENDING_SECONDS = 365 * 86_400

/** Fixed, so that references do not depend on the day of seeding. */
const REFERENCE_DAY = '2026-11-01'

export interface SeedDeposit extends Pick<SeedPayment, 'to' | 'amount' | 'at' | 'note'> {
  readonly fate: 'queued' | 'pending' | 'processing' | 'processed' | 'failed' | 'reversed'
  readonly reference?: string | undefined
}

export interface SeedPayment {
  readonly type: 'P2P' | 'PURCHASE' | 'WITHDRAWAL'
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly at: string
  /** All others, except withdrawals, are protected. */
  readonly fate: 'instant' | 'held' | 'settled' | 'blocked' | 'failed' | 'fee not covered' | 'disputed'
  readonly note: string
  readonly tier?: GasTier
  readonly cardId?: string | undefined
  readonly dispute?: SeedDispute
}

export interface SeedDispute {
  readonly at: string
  readonly resolved?: { readonly at: string; readonly refund: boolean; readonly reason: string } | undefined
}

/** Payments may be added in any order; `play` runs them in the order of their times. */
export class Payments {
  readonly #book: Book
  readonly #random: Randomness
  readonly #now: string
  readonly #events: (readonly [at: string, happen: () => void])[] = []
  readonly #reversals = new Map<string, string>()

  constructor(book: Book, random: Randomness, now: string) {
    this.#book = book
    this.#random = random
    this.#now = now
  }

  play(): void {
    this.#events.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    for (const [, happen] of this.#events) happen()
  }

  reversalOf(referenceId: string): string | null {
    return this.#reversals.get(referenceId) ?? null
  }

  deposit(deposit: SeedDeposit): string {
    const { at, fate } = deposit
    const first = firstRow({
      ...deposit,
      type: 'DEPOSIT',
      from: RESERVE_ACCOUNT_ID,
      referenceId: deposit.reference ?? newReference('DEP', REFERENCE_DAY, this.#random),
      units: parseUnits(deposit.amount),
    })
    this.#schedule(at, () => this.#book.create(first), fate === 'queued' ? [] : this.#confirmed(first, fate))
    if (fate === 'pending') this.#fallsDue(first, plusSeconds(this.#now, PENDING_SECONDS))
    if (fate === 'processing') this.#fallsDue(first, plusSeconds(mintedAt(at), HOLD_SECONDS))
    return first.reference_id
  }

  pay(payment: SeedPayment): string {
    const { type, at, fate } = payment
    const referenceId = newReference(REFERENCE_KINDS[type], REFERENCE_DAY, this.#random)
    const first = firstRow({ ...payment, referenceId, units: parseUnits(payment.amount) })
    if (fate === 'instant') {
      const final = { ...first, ...onChain(this.#random), state: 'PROCESSED', settled_at: at }
      this.#schedule(at, () => this.#book.create(final, transfer(final)), [])
    } else {
      const steps = type === 'WITHDRAWAL' ? this.#paidOut(at) : this.#protected(first, payment)
      this.#schedule(at, () => this.#book.create(first, reserve(first)), steps)
    }
    if (fate === 'held') this.#fallsDue(first, plusSeconds(at, DISPUTE_WINDOW_SECONDS))
    return first.reference_id
  }

  #confirmed(first: NewRow, fate: SeedDeposit['fate']): readonly Step[] {
    const [book, at] = [this.#book, first.created_at]
    const change = { state: 'PENDING', bank_reference: `ATL-2026-${drawBelow(this.#random, 1_000_000)}` }
    const pending = becomes(book, plusSeconds(at, CONFIRMED_AFTER_SECONDS), change)
    if (fate === 'pending') return [pending]
    const minted = becomes(book, mintedAt(at), { state: 'PROCESSING', ...onChain(this.#random) }, reserve)
    const after = (seconds: number) => plusSeconds(mintedAt(at), seconds)
    switch (fate) {
      case 'processed':
        return [pending, minted, settles(book, after(HOLD_SECONDS))]
      case 'failed':
        return [pending, minted, fails(book, after(A_MOMENT_SECONDS), 'The chain refused the mint.')]
      case 'reversed':
        return [pending, minted, this.#reverses(first, after(AN_HOUR_SECONDS), 'Reversed in its window.')]
      default:
        return [pending, minted]
    }
  }

  #paidOut(at: string): readonly Step[] {
    const paidAt = plusSeconds(at, PAID_OUT_AFTER_SECONDS)
    const pending = becomes(this.#book, paidAt, { state: 'PENDING' })
    const processing = becomes(this.#book, paidAt, { state: 'PROCESSING', ...onChain(this.#random) })
    return [pending, processing, settles(this.#book, paidAt)]
  }

  #protected(first: NewRow, payment: SeedPayment): readonly Step[] {
    const { at, amount, tier = 'STANDARD' } = payment
    const pending = becomes(this.#book, at, { state: 'PENDING' })
    if (payment.fate === 'fee not covered') {
      return [pending, fails(this.#book, at, 'The balance covers the amount but not the fee.')]
    }
    const debit = formatUnits(parseUnits(amount) + FEES[tier])
    const onlyFee = (row: Written) => reserve({ ...row, credit: '0', debit: formatUnits(FEES[tier]) })
    const held = becomes(this.#book, at, { state: 'PROCESSING', debit, ...onChain(this.#random) }, onlyFee)
    return [pending, held, ...this.#ends(first, payment)]
  }

  #ends(first: NewRow, { at, fate, dispute }: SeedPayment): readonly Step[] {
    const soon = plusSeconds(at, A_MOMENT_SECONDS)
    switch (fate) {
      case 'settled':
        return [settles(this.#book, plusSeconds(at, DISPUTE_WINDOW_SECONDS))]
      case 'failed':
        return [fails(this.#book, soon, 'The chain refused the transfer.')]
      case 'blocked':
        return [becomes(this.#book, soon, { state: 'BLOCKED' })]
      case 'disputed':
        return this.#disputed(first, dispute ?? { at: soon })
      default:
        return []
    }
  }

  #disputed(first: NewRow, { at, resolved }: SeedDispute): readonly Step[] {
    const disputed = becomes(this.#book, at, { state: 'DISPUTED' })
    if (resolved === undefined) return [disputed]
    if (!resolved.refund) return [disputed, settles(this.#book, resolved.at)]
    return [disputed, this.#reverses(first, resolved.at, resolved.reason)]
  }

  #reverses({ reference_id }: NewRow, at: string, note: string): Step {
    const referenceId = newReference('REV', REFERENCE_DAY, this.#random)
    const chain = onChain(this.#random)
    this.#reversals.set(reference_id, referenceId)
    const [, settleIt] = settles(this.#book, at)
    const take = (row: Written): Written => {
      const settled = settleIt(row)
      const reversal = reversalRow(at, settled, { reference_id: referenceId, note, ...chain })
      this.#book.create(reversal, transfer(reversal))
      return settled
    }
    return [at, take]
  }

  #schedule(at: string, create: () => Written, steps: readonly Step[]): void {
    let row: Written
    const keep = (next: () => Written) => () => {
      row = next()
    }
    this.#events.push([at, keep(create)])
    for (const [then, take] of steps) this.#events.push([then, keep(() => take(row))])
  }

  #fallsDue({ reference_id }: NewRow, due_at: string): void {
    this.#book.due.push({ reference_id, due_at })
  }
}

const mintedAt = (announcedAt: string): string => plusSeconds(announcedAt, CONFIRMED_AFTER_SECONDS + A_MOMENT_SECONDS)

type Step = readonly [at: string, take: (row: Written) => Written]

type Change = Partial<NewRow> & Pick<NewRow, 'state'>

function becomes(book: Book, at: string, change: Change, moves: (row: Written) => readonly Posting[] = () => []): Step {
  return [at, (row) => book.move(row, { ...change, recorded_at: at }, moves(row))]
}

const settles = (book: Book, at: string): Step => becomes(book, at, { state: 'PROCESSED', settled_at: at }, settle)

const fails = (book: Book, at: string, reason: string): Step =>
  becomes(book, at, { state: 'FAIL', fail_reason: reason, settled_at: at }, release)
