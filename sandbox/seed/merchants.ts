import { openAccount } from '#sandbox/ledger/accounts.ts'
import { plusSeconds } from '#sandbox/world/clock.ts'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import { userIdEndingIn } from './people.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const OPENED_DAYS_AGO = 45
const DISABLED_DAYS_AGO = 12

interface SeedMerchant {
  /** The last two digits of the merchant's id and of its account's id. */
  readonly number: string
  readonly name: string
  /** The last digits of the owner's user id. */
  readonly owner: string
  readonly terminals: number
  /** The counter whose terminal is DISABLED. */
  readonly disabled: number
}

/** Their ids, owners and terminal UIDs are stable: tests and people rely on them. */
const merchants: readonly SeedMerchant[] = [
  { number: '01', name: 'Corner Shop', owner: '013', terminals: 5, disabled: 4 },
  { number: '02', name: 'Harbour Cafe', owner: '014', terminals: 3, disabled: 2 },
  { number: '03', name: 'City Market', owner: '012', terminals: 4, disabled: 1 },
]

/** Three merchants, each with an account and with terminals, of which one is disabled. */
export async function seedMerchants(trx: Trx, random: Randomness, now: string): Promise<void> {
  let terminalsBefore = 0
  for (const merchant of merchants) {
    const accountId = `00000000-0000-4000-8000-0000000001${merchant.number}`
    await openAccount(trx, accountId, 'merchant')
    await trx
      .insertInto('merchant')
      .values({
        id: merchantIdOf(merchant),
        name: merchant.name,
        owner_user_id: userIdEndingIn(merchant.owner),
        account_id: accountId,
      })
      .execute()
    await seedTerminals(trx, random, merchant, terminalsBefore, plusSeconds(now, -OPENED_DAYS_AGO * DAY))
    terminalsBefore += merchant.terminals
  }
}

const merchantIdOf = (merchant: SeedMerchant): string => `merchant-0${merchant.number}`

async function seedTerminals(
  trx: Trx,
  random: Randomness,
  merchant: SeedMerchant,
  terminalsBefore: number,
  openedAt: string,
): Promise<void> {
  const terminals = Array.from({ length: merchant.terminals }, (_, index) => {
    const counter = index + 1
    const disabled = counter === merchant.disabled
    const registeredAt = plusSeconds(openedAt, index * HOUR)
    return {
      id: newUuid(random),
      merchant_id: merchantIdOf(merchant),
      terminal_uid: `PAX-A920-${String(terminalsBefore + counter).padStart(4, '0')}`,
      label: `counter-${counter}`,
      status: disabled ? ('DISABLED' as const) : ('ACTIVE' as const),
      registered_at: registeredAt,
      updated_at: disabled ? plusSeconds(openedAt, (OPENED_DAYS_AGO - DISABLED_DAYS_AGO) * DAY) : registeredAt,
    }
  })
  await trx.insertInto('terminal').values(terminals).execute()
}
