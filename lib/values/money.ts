import { Decimal } from 'decimal.js'
import { isAmount, PLACES, shownText } from './amount-text.ts'
import { type AmountFault, readTypedAmount } from './typed-amount.ts'

/** Amounts have at most 38 significant digits, so no result is rounded. */
const PRECISION = 64

const Exact = Decimal.clone({ precision: PRECISION, defaults: true })

export type TypedMoney =
  | { readonly ok: true; readonly money: Money }
  | { readonly ok: false; readonly fault: AmountFault }

/** Methods only, because `<` on two objects compiles but does not compare them. */
export class Money {
  readonly #value: Decimal

  private constructor(value: Decimal) {
    this.#value = value
  }

  static fromWire(text: string): Money | null {
    return isAmount(text) ? new Money(new Exact(text)) : null
  }

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

  plus(other: Money): Money {
    return new Money(this.#value.plus(other.#value))
  }

  minus(other: Money): Money {
    return new Money(this.#value.minus(other.#value))
  }

  absolute(): Money {
    return new Money(this.#value.abs())
  }

  toExact(): string {
    return this.#value.toFixed(PLACES)
  }

  toShown(): string {
    return shownText(this.toExact())
  }
}
