import type { Insertable } from 'kysely'
import { RESERVE_ACCOUNT_ID } from '#sandbox/ledger/accounts.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import type { SeedPayment } from './payments.ts'
import { userIdEndingIn } from './people.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const OPENED_DAYS_AGO = 45
const DISABLED_DAYS_AGO = 12

export interface SeedMerchant {
  /** Last two digits of the ids of the merchant and its account. */
  readonly number: string
  readonly name: string
  /** Last digits of the owner's user id. */
  readonly owner: string
  readonly terminals: number
  readonly disabled: number
}

/** Ids, owners and terminal UIDs are stable: tests and people rely on them. */
export const merchants: readonly SeedMerchant[] = [
  { number: '01', name: 'Corner Shop', owner: '013', terminals: 5, disabled: 4 },
  { number: '02', name: 'Harbour Cafe', owner: '014', terminals: 3, disabled: 2 },
  { number: '03', name: 'City Market', owner: '012', terminals: 4, disabled: 1 },
]

export const merchantRows = (shops: readonly SeedMerchant[]): Insertable<Tables['merchant']>[] =>
  shops.map((merchant) => ({
    id: merchantIdOf(merchant),
    name: merchant.name,
    owner_user_id: userIdEndingIn(merchant.owner),
    account_id: accountIdOf(merchant),
  }))

export function terminalRows(
  shops: readonly SeedMerchant[],
  random: Randomness,
  now: string,
): Insertable<Tables['terminal']>[] {
  const openedAt = plusSeconds(now, -OPENED_DAYS_AGO * DAY)
  const disabledAt = plusSeconds(now, -DISABLED_DAYS_AGO * DAY)
  let terminals = 0
  return shops.flatMap((merchant) =>
    Array.from({ length: merchant.terminals }, (_, index) => {
      terminals += 1
      const isDisabled = index + 1 === merchant.disabled
      const registeredAt = plusSeconds(openedAt, index * HOUR)
      return {
        id: newUuid(random),
        merchant_id: merchantIdOf(merchant),
        terminal_uid: `PAX-A920-${String(terminals).padStart(4, '0')}`,
        label: `counter-${index + 1}`,
        status: isDisabled ? ('DISABLED' as const) : ('ACTIVE' as const),
        registered_at: registeredAt,
        updated_at: isDisabled ? disabledAt : registeredAt,
      }
    }),
  )
}

export function seededMerchant(merchantId: string): { readonly accountId: string; readonly owner: string } | undefined {
  const merchant = merchants.find((candidate) => merchantIdOf(candidate) === merchantId)
  return merchant === undefined ? undefined : { accountId: accountIdOf(merchant), owner: merchant.owner }
}

/** `from`: last digits of a user id. `to`: the same, a merchant's id, or `bank`. */
export function partiesOf(from: string, to: string): Pick<SeedPayment, 'type' | 'from' | 'to'> {
  const payer = userIdEndingIn(from)
  if (to === 'bank') return { type: 'WITHDRAWAL', from: payer, to: RESERVE_ACCOUNT_ID }
  const merchant = seededMerchant(to)
  if (merchant !== undefined) return { type: 'PURCHASE', from: payer, to: merchant.accountId }
  return { type: 'P2P', from: payer, to: userIdEndingIn(to) }
}

const merchantIdOf = ({ number }: SeedMerchant): string => `merchant-0${number}`

export const accountIdOf = ({ number }: SeedMerchant): string => `00000000-0000-4000-8000-0000000001${number}`
