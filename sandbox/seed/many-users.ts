import { formatUnits } from '#sandbox/ledger/amount.ts'
import { DISPUTE_WINDOW_SECONDS } from '#sandbox/ledger/spend.ts'
import type { Randomness } from '#sandbox/world/random.ts'
import type { CaseFile, Party } from './case-file.ts'
import { disputeTexts } from './dispute-texts.ts'
import { ago, drawBelow, drawFraction, drawFrom } from './draw.ts'
import { accountIdOf, type SeedMerchant } from './merchants.ts'
import type { Payments } from './payments.ts'
import { type Person, userIdEndingIn } from './people.ts'

const DAY = 86_400

const HOLDERS = 1000
const OPENING_BALANCE = '50000'
const OPENED_DAYS_AGO = 58
const FIRST_DAY_AGO = 55
const LAST_MINUTE_AGO = 3

/** All to one merchant, whose account then has a history of this length. */
const PURCHASES = 100_000
const INSTANT_TRANSFERS = 5000
const CASES = 5000
const ONE_IN_SO_MANY_PROTECTED = 5
const ONE_IN_SO_MANY_RESOLVED = 3
const ONE_IN_SO_MANY_REFUNDED = 2
const MESSAGES_MIN = 2
const MESSAGES_MAX = 7
const ARBITRATOR_ID = userIdEndingIn('002')

const firstNames = ['Abel', 'Brenda', 'Carlos', 'Delia', 'Elmer', 'Fatima', 'Gilroy', 'Hilda', 'Ines', 'Jair']
const lastNames = ['Acosta', 'Bradley', 'Cal', 'Dawson', 'Escalante', 'Flowers', 'Gongora', 'Hyde', 'Ico', 'Jones']
const bills = ['Water bill', 'Electricity', 'Both bills', 'Reconnection', 'Prepaid meter', '']
const favours = ['Lunch', 'Taxi', 'Thank you', 'My share', 'Football', '']
const subjects = Object.values(disputeTexts.transfers)

export const manyUsers: readonly Person[] = Array.from({ length: HOLDERS }, (_, index) => ({
  ending: String(10_001 + index),
  username: `holder-${String(index + 1).padStart(4, '0')}`,
  first: firstNames[index % 10] ?? '',
  last: lastNames[Math.floor(index / 10) % 10] ?? '',
  role: 'HOLDER',
  about: 'wallet holder',
}))

/** The first holder owns it; all others pay it. */
export const utility: SeedMerchant = {
  number: '04',
  name: 'Water and Light',
  owner: '10001',
  terminals: 40,
  disabled: 7,
}

const parties: readonly Party[] = manyUsers.map(({ ending, first }) => ({
  userId: userIdEndingIn(ending),
  firstName: first,
}))
const customers = parties.slice(1)

/** `factor` multiplies the cases only. */
export function seedManyUsers(
  payments: Payments,
  file: CaseFile,
  random: Randomness,
  now: string,
  factor: number,
): void {
  for (const { userId } of parties) {
    const at = ago(random, now, OPENED_DAYS_AGO * DAY)
    payments.deposit({ to: userId, amount: OPENING_BALANCE, at, fate: 'processed', note: 'Opening balance' })
  }
  for (let n = 0; n < PURCHASES; n += 1) seedPurchase(payments, random, now)
  for (let n = 0; n < INSTANT_TRANSFERS; n += 1) seedTransfer(payments, random, now)
  for (let n = 0; n < CASES * factor; n += 1) seedDispute(payments, file, random, now, n)
}

function seedPurchase(payments: Payments, random: Randomness, now: string): void {
  const secondsAgo = drawSecondsAgo(random)
  const afterwards = secondsAgo < DISPUTE_WINDOW_SECONDS ? 'held' : 'settled'
  payments.pay({
    type: 'PURCHASE',
    from: drawFrom(random, customers).userId,
    to: accountIdOf(utility),
    amount: drawAmount(random),
    at: ago(random, now, secondsAgo),
    fate: drawBelow(random, ONE_IN_SO_MANY_PROTECTED) === 0 ? afterwards : 'instant',
    note: drawFrom(random, bills),
  })
}

function seedTransfer(payments: Payments, random: Randomness, now: string): void {
  const [payer, recipient] = drawPair(random)
  payments.pay({
    type: 'P2P',
    from: payer.userId,
    to: recipient.userId,
    amount: drawAmount(random),
    at: ago(random, now, drawSecondsAgo(random)),
    fate: 'instant',
    note: drawFrom(random, favours),
  })
}

function seedDispute(payments: Payments, file: CaseFile, random: Randomness, now: string, index: number): void {
  const [payer, recipient] = drawPair(random)
  const subject = drawFrom(random, subjects)
  const [note = '', reason = ''] = drawFrom(random, subject.cases)
  const amount = drawAmount(random)
  const paidAgo = drawSecondsAgo(random)
  const raisedAgo = Math.max(paidAgo - drawFraction(random) * DISPUTE_WINDOW_SECONDS, paidAgo / 2)
  const raisedAt = ago(random, now, raisedAgo)
  const refund = index % (ONE_IN_SO_MANY_RESOLVED * ONE_IN_SO_MANY_REFUNDED) === 0
  const resolvedAt = index % ONE_IN_SO_MANY_RESOLVED === 0 ? ago(random, now, raisedAgo / 2) : null
  const at = ago(random, now, paidAgo)
  file.add(
    payments,
    { type: 'P2P', from: payer.userId, to: recipient.userId, amount, at, note },
    {
      subject,
      reason,
      payer,
      recipient,
      raisedAt,
      messages: MESSAGES_MIN + drawBelow(random, MESSAGES_MAX - MESSAGES_MIN + 1),
      arbitratorId: ARBITRATOR_ID,
      resolved: resolvedAt === null ? null : { at: resolvedAt, refund },
    },
  )
}

function drawPair(random: Randomness): readonly [Party, Party] {
  const payer = drawFrom(random, parties)
  const recipient = drawFrom(random, parties)
  return payer === recipient ? drawPair(random) : [payer, recipient]
}

const drawSecondsAgo = (random: Randomness): number => LAST_MINUTE_AGO * 60 + drawFraction(random) * FIRST_DAY_AGO * DAY

const drawAmount = (random: Randomness): string => formatUnits(BigInt(100 + drawBelow(random, 6000)) * 1_000_000n)
