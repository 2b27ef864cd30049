import { Big } from 'big.js'
import { isAmount, PLACES, shownText } from './amount-text.ts'
import { plainAmount } from './plain-amount.ts'

const WHOLE_DIGITS_MAX = 30

/** The currencies that the service names: balances are in BZD; the ledger's own is JDX, pegged one to one. */
export type Currency = 'BZD' | 'JDX'

export type MoneyFault =
  | 'empty'
  | 'not-a-number'
  /** A comma that may stand for thousands or for cents. */
  | 'comma'
  | 'other-currency'
  | 'negative'
  | 'too-many-places'
  | 'too-long'

export type TypedAmount =
  | { readonly ok: true; readonly money: Money }
  | { readonly ok: false; readonly fault: MoneyFault }

/**
 * An amount, exact, without a currency: taking one from another rounds nothing. It exposes methods only: `<` between two objects compiles and compares nothing
 * that anyone means, so there is no value to compare with it.
 */
export class Money {
  readonly #value: Big

  private constructor(value: Big) {
    this.#value = value
  }

  /** Reads a decimal string of the service. Null when it is none. */
  static fromWire(text: string): Money | null {
    return isAmount(text) ? new Money(new Big(text)) : null
  }

  /** Reads what a person typed or pasted in BZD, as `plainAmount` does. */
  static fromTyped(typed: string): TypedAmount {
    const plain = plainAmount(typed)
    if (!plain.ok) return plain
    const [whole = '', places = ''] = plain.text.split('.')
    if (whole.length > WHOLE_DIGITS_MAX) return { ok: false, fault: 'too-long' }
    if (places.length > PLACES) return { ok: false, fault: 'too-many-places' }
    return { ok: true, money: new Money(new Big(plain.text)) }
  }

  equals(other: Money): boolean {
    return this.#value.eq(other.#value)
  }

  isMoreThan(other: Money): boolean {
    return this.#value.gt(other.#value)
  }

  isZero(): boolean {
    return this.#value.eq(0)
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
