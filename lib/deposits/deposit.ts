import type { Step } from '#lib/commands/command.ts'
import { isStorable, UNSTORABLE_WORDS } from '#lib/contract/json.ts'
import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import { withoutInvisible } from '#lib/values/text.ts'
import type { AmountFault } from '#lib/values/typed-amount.ts'

export const placeOfDeposit = ({ target }: { readonly target: string }) => ({
  href: `/deposits?${new URLSearchParams({ reference: target })}`,
  words: 'Open the deposit',
})

export const BANK_REFERENCE_MAX_CHARS = 140

export const amountFaultWords: Readonly<Record<AmountFault, string>> = {
  empty: 'Enter the amount on the bank statement.',
  'not-a-number': 'Use digits and a point for cents: 1250.00 or 1,250.00.',
  comma: 'The comma is ambiguous. Use a point for cents: 1250.00 or 1,250.00.',
  'other-currency': 'Wrong currency. Deposits are in BZD.',
  negative: 'Enter the amount received, without a minus sign.',
  'too-many-places': 'At most eight decimal places.',
  'too-long': 'This is too long for an amount.',
}

export const RECIPIENT_FAULT = 'The recipient cannot confirm their own deposit. Someone else must.'

export function bankReferenceFault(bankReference: string): string | null {
  const text = withoutInvisible(bankReference).trim()
  if (text === '') return 'Enter the bank’s reference from the statement.'
  if ([...text].length > BANK_REFERENCE_MAX_CHARS) return `At most ${BANK_REFERENCE_MAX_CHARS} characters.`
  return isStorable(text) ? null : UNSTORABLE_WORDS
}

/** No variant of case, width, spacing, dashes or invisible characters differs. A change needs a migration. */
export const foldBankReference = (bankReference: string): string =>
  // Normalized twice: upper case can decompose a letter, and removing invisible characters lets a mark compose.
  withoutInvisible(bankReference)
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** The lock of a confirmation, kept for ever after success: one bank reference confirms one deposit. */
export const bankLock = (bankReference: string): string => `bank:${foldBankReference(bankReference)}`

/** A person over their limit handed the deposit to a colleague. */
export interface HandOver {
  readonly reference: string
  /** Decimal text in BZD. */
  readonly amount: string
  readonly from: string
  readonly to: string
  readonly reader: 'sender' | 'colleague' | null
  readonly at: string
  readonly reason: string
  readonly handedBackAt: string | null
  /** For the colleague; empty if not known. */
  readonly known: { readonly bankReference: string; readonly statementAmount: string }
}

const HOLD_MS = DEPOSIT_HOLD_HOURS * 3_600_000

export const holdEnd = (confirmedAt: string): string => new Date(Date.parse(confirmedAt) + HOLD_MS).toISOString()

export type Hold =
  /** `latest`: the hold already ran when the console first saw it, so it may end earlier. */
  | { readonly kind: 'ends'; readonly at: string; readonly latest: boolean }
  | { readonly kind: 'ended'; readonly at: string | null }
  | { readonly kind: 'ahead' | 'none' | 'not-told' }

/** `state`: null if unreadable. `heldSince`: when the console first saw PROCESSING. `nowMs`: the service's clock. */
export function holdOf(known: {
  readonly state: string | null
  readonly settledAt: string | null
  readonly endsAt: string | null
  readonly heldSince: string | null
  readonly nowMs: number
}): Hold {
  const { state, settledAt, endsAt, heldSince, nowMs } = known
  if (state === 'QUEUED' || state === 'PENDING') return { kind: 'ahead' }
  if (state === 'PROCESSED') return { kind: 'ended', at: settledAt }
  if (state === 'FAIL') return { kind: 'none' }
  if (state !== null && state !== 'PROCESSING') return { kind: 'not-told' }
  const isOver = (end: string) => Date.parse(end) <= nowMs
  if (endsAt !== null)
    return isOver(endsAt) ? { kind: 'ended', at: endsAt } : { kind: 'ends', at: endsAt, latest: false }
  if (heldSince === null) return { kind: 'not-told' }
  const latest = holdEnd(heldSince)
  return isOver(latest) ? { kind: 'ended', at: null } : { kind: 'ends', at: latest, latest: true }
}

export const isConfirmed = (state: string): boolean =>
  state === 'PROCESSING' || state === 'PROCESSED' || state === 'DISPUTED'

export const isFinal = (state: string): boolean => state === 'PROCESSED' || state === 'FAIL'

/** `holdEndOf` finds the outcome line by this label. */
export const HOLD_ENDS = 'Hold ends'

const PATH = ['QUEUED', 'PENDING', 'PROCESSING', 'PROCESSED'] as const
const STEP_WORDS: Readonly<Record<(typeof PATH)[number], string>> = {
  QUEUED: 'Queued',
  PENDING: 'Pending: minting into escrow',
  PROCESSING: `Processing: held for ${DEPOSIT_HOLD_HOURS} hours`,
  PROCESSED: 'Processed: settled',
}

export function depositSteps(state: string): readonly Step[] {
  const at = PATH.findIndex((step) => step === state)
  if (at === -1) return []
  return PATH.map((step, index) => ({ word: STEP_WORDS[step], place: placeOf(index, at) }))
}

function placeOf(index: number, at: number): Step['place'] {
  if (index === at) return at === PATH.length - 1 ? 'behind' : 'now'
  return index < at ? 'behind' : 'ahead'
}
