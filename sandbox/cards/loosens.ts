import type { Units } from '#sandbox/ledger/amount.ts'
import { type Caps, capNames } from './caps.ts'

/** Whether a change of limits loosens: if any single cap does (interface.md, "Cards", cap rule 4). */
export const loosens = (before: Caps, after: Caps): boolean =>
  capNames.some((name) => capLoosens(before[name], after[name]))

/** A cap loosens when it is removed or raised. One that was not there cannot loosen. */
const capLoosens = (before: Units | null, after: Units | null): boolean =>
  before !== null && (after === null || after > before)
