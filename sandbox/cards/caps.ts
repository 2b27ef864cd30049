import { Refusal } from '#sandbox/http/problem.ts'
import { formatUnits, parseUnits, readAmount, type Units } from '#sandbox/ledger/amount.ts'
import type { CardRow } from './card-rows.ts'

export const capNames = ['perTxnCap', 'dailyCap', 'lifetimeCap'] as const

export type CapName = (typeof capNames)[number]

/** Null means no cap. */
export type Caps = Readonly<Record<CapName, Units | null>>

export const capWords: Readonly<Record<CapName, string>> = {
  perTxnCap: 'per-transaction cap',
  dailyCap: 'daily cap',
  lifetimeCap: 'lifetime cap',
}

/** The first of each pair cannot exceed the second. */
const ordered = [
  ['perTxnCap', 'dailyCap'],
  ['dailyCap', 'lifetimeCap'],
  ['perTxnCap', 'lifetimeCap'],
] as const satisfies readonly (readonly [CapName, CapName])[]

/** Cap rules 1 and 2 (interface.md, "Cards"). Throws `core::tessera::limits::invalid`; its title may be shown. */
export function readCaps(request: Readonly<Record<CapName, string | null>>): Caps {
  const faults: [CapName, string][] = []
  const read = (name: CapName): Units | null => {
    const literal = request[name]
    if (literal === null) return null
    const amount = readAmount(literal)
    if (amount.ok) return amount.units
    faults.push([name, amount.why])
    return null
  }
  const caps = { perTxnCap: read('perTxnCap'), dailyCap: read('dailyCap'), lifetimeCap: read('lifetimeCap') }
  for (const [lower, upper] of ordered) {
    const [low, high] = [caps[lower], caps[upper]]
    if (low !== null && high !== null && low > high) faults.push([lower, `cannot be more than the ${capWords[upper]}`])
  }
  if (faults.length > 0) throw limitsInvalid(faults)
  return caps
}

function limitsInvalid(faults: readonly (readonly [CapName, string])[]): Refusal {
  const errors: Record<string, string[]> = {}
  for (const [name, rule] of faults) errors[name] = [...(errors[name] ?? []), rule]
  const title = faults.map(([name, rule]) => `The ${capWords[name]} ${rule}.`).join(' ')
  return new Refusal(400, 'core::tessera::limits::invalid', title, errors)
}

const units = (text: string | null): Units | null => (text === null ? null : parseUnits(text))
const text = (amount: Units | null): string | null => (amount === null ? null : formatUnits(amount))

export const capsOf = (card: CardRow): Caps => ({
  perTxnCap: units(card.per_txn_cap),
  dailyCap: units(card.daily_cap),
  lifetimeCap: units(card.lifetime_cap),
})

export const capColumns = (caps: Caps) => ({
  per_txn_cap: text(caps.perTxnCap),
  daily_cap: text(caps.dailyCap),
  lifetime_cap: text(caps.lifetimeCap),
})

/** True if any single cap loosens (interface.md, "Cards", cap rule 4). */
export const loosens = (before: Caps, after: Caps): boolean =>
  capNames.some((name) => capLoosens(before[name], after[name]))

const capLoosens = (before: Units | null, after: Units | null): boolean =>
  before !== null && (after === null || after > before)
