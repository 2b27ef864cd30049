import type { Units } from '#sandbox/ledger/amount.ts'
import { type Caps, capNames } from './caps.ts'

/** True if any single cap loosens (interface.md, "Cards", cap rule 4). */
export const loosens = (before: Caps, after: Caps): boolean =>
  capNames.some((name) => capLoosens(before[name], after[name]))

const capLoosens = (before: Units | null, after: Units | null): boolean =>
  before !== null && (after === null || after > before)
