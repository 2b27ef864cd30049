import { RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { seededMerchant } from './merchants.ts'
import type { SeedPayment } from './payments.ts'
import { userIdEndingIn } from './people.ts'

/** `from`: last digits of a user id. `to`: the same, a merchant's id, or `bank`. */
export function partiesOf(from: string, to: string): Pick<SeedPayment, 'type' | 'from' | 'to'> {
  const payer = userIdEndingIn(from)
  if (to === 'bank') return { type: 'WITHDRAWAL', from: payer, to: RESERVE_ACCOUNT_ID }
  const merchant = seededMerchant(to)
  if (merchant !== undefined) return { type: 'PURCHASE', from: payer, to: merchant.accountId }
  return { type: 'P2P', from: payer, to: userIdEndingIn(to) }
}
