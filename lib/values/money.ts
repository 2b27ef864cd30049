import { Decimal } from 'decimal.js'
import { isAmount, PLACES, shownText } from './amount-text.ts'
import { type AmountFault, readTypedAmount } from './plain-amount.ts'

/** Significant digits. Amounts have at most 38 and each difference at most one more, so no result is rounded. */
const PRECISION = 64

const Exact = Decimal.clone({ precision: PRECISION, defaults: true })

/** The currencies that the service names: balances are in BZD; the ledger's own is JDX, pegged one to one. */
export type Currency = 'BZD' | 'JDX'

export type TypedMoney =
  | { readonly ok: true; readonly money: Money }
  | { readonly ok: false; readonly fault: AmountFault }

/** An exact amount without a currency. It has methods only, because `<` between two objects compiles and compares nothing. */
export class Money {
  readonly #value: Decimal

  private constructor(value: Decimal) {
    this.#value = value
  }

  /** Reads a decimal string of the service; null if it is not one. */
  static fromWire(text: string): Money | null {
    return isAmount(text) ? new Money(new Exact(text)) : null
  }

  /** Reads what a person typed or pasted in BZD, as `readTypedAmount` does. */
  static fromTyped(typed: string): TypedMoney {
    const read = readTypedAmount(typed)
    return read.ok ? { ok: true, money: new Money(new Exact(read.text)) } : read
  }

  equals(other: Money): boolean {
    return this.#value.eq(other.#value)
  }

  isMoreThan(other: Money): boolean {
    return this.#value.gt(other.#value)
  }

  isZero(): boolean {
    return this.#value.isZero()
  }

  isNegative(): boolean {
    return this.#value.lt(0)
  }

  minus(other: Money): Money {
    return new Money(this.#value.minus(other.#value))
  }

  absolute(): Money {
    return new Money(this.#value.abs())
  }

  /** Plain decimal text with eight places: for copying, comparing and storing. */
  toExact(): string {
    return this.#value.toFixed(PLACES)
  }

  /** Grouped, with two places unless the rest is not zero; a real minus sign. For people. */
  toShown(): string {
    return shownText(this.toExact())
  }
}
