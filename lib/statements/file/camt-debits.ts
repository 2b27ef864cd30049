import 'server-only'
import { counted } from '#lib/values/words.ts'
import { moneyOf, plus, ZERO } from './amount-text.ts'
import {
  about,
  amountIn,
  announcedCount,
  batchReferences,
  booleanOf,
  type Credit,
  chargesOf,
  debitOf,
  type ListedPayment,
  lineOf,
  listedPayments,
  statusOf,
} from './camt-payment.ts'
import { at, type Element, textAt } from './element.ts'
import { type EntryRead, isReference } from './statement.ts'

/** The whole entry is left out, but each of its payments may have taken back one that was received, or be one. */
export function readDebits(entry: Element, account: string, place: number, isReversal: boolean): readonly EntryRead[] {
  const amount = amountIn(at(entry, 'Amt'))
  if (amount === null || statusOf(entry) !== 'BOOK') return [{ leftOut: 'paid-out' }]
  const credit = { entry, account, place, amount }
  const listed = listedPayments(entry)
  const [isBatch, isAlone] = [announcedCount(entry) > Math.max(1, listed.length), listed.length === 1]
  if (listed.length > 1 || (isAlone && isBatch))
    return [{ leftOut: 'paid-out' }, ...debitsOf(credit, listed, isReversal)]
  const [only] = listed
  // Charges may be part of the entry's amount.
  const isListed =
    only?.amount?.currency === amount.currency &&
    !moneyOf(only.amount.text).isZero() &&
    !moneyOf(only.amount.text).isMoreThan(moneyOf(amount.text))
  const debit = debitOf(credit, only?.payment, {
    amount: (isListed && only.amount) || amount,
    isReversal: isReversal || isReversed(only),
  })
  const isUnnamed = isReversal && isBatch && !debit.references.some(isReference)
  const remark = isReversal && isBatch ? [{ remark: about(place, UNLISTED) }] : []
  return [isUnnamed ? { leftOut: 'paid-out' } : { leftOut: 'paid-out', debit }, ...remark]
}

const UNLISTED = 'payments went back, and the bank does not give the amount of each. Check which deposits they are of.'

const isReversed = (one: ListedPayment | undefined): boolean => booleanOf(textAt(one?.payment, 'RvslInd')) === true

function debitsOf(credit: Credit, listed: readonly ListedPayment[], isReversal: boolean): readonly EntryRead[] {
  const { entry, place } = credit
  const isReceived = ({ payment }: ListedPayment) => textAt(payment, 'CdtDbtInd') === 'CRDT'
  const [received, paidOut] = [listed.filter(isReceived), listed.filter((one) => !isReceived(one))]
  const debits = paidOut.flatMap((one): readonly EntryRead[] => {
    if (one.amount === null || moneyOf(one.amount.text).isZero()) return []
    return [{ debit: debitOf(credit, one.payment, { amount: one.amount, isReversal: isReversal || isReversed(one) }) }]
  })
  const isWhole = isSumOf(credit, paidOut, received)
  if (isReversal) {
    const isListed = isWhole && debits.length === paidOut.length && announcedCount(entry) <= listed.length
    return isListed ? debits : [...debits, { remark: about(place, UNLISTED) }]
  }
  if (received.length === 0 || paidOut.length === 0) return debits
  if (!isWhole) {
    const what = `this batch of debits lists ${counted(received.length, 'received payment')}, but does not sum to what was booked. Received payments of it are not imported: ask the bank about them.`
    return [...debits, { warning: about(place, what) }]
  }
  const bankReferences = batchReferences(entry, listed)
  const lines = listed.flatMap((one, at): readonly EntryRead[] => {
    if (!isReceived(one) || one.leftOut !== null || one.amount === null || moneyOf(one.amount.text).isZero()) return []
    return [{ line: lineOf(credit, one.payment, { amount: one.amount, bankReference: bankReferences[at] ?? '' }) }]
  })
  return [...lines, ...debits]
}

/** Charges may explain a difference. */
function isSumOf(
  { entry, amount: booked }: Credit,
  paidOut: readonly ListedPayment[],
  received: readonly ListedPayment[],
): boolean {
  const all = [...paidOut, ...received]
  if (!all.every(({ amount }) => amount?.currency === booked.currency)) return false
  const sum = (payments: readonly ListedPayment[]) =>
    payments.reduce((total, { amount }) => plus(total, moneyOf(amount?.text ?? '0')), ZERO)
  const charges = [entry, ...all.map(({ payment }) => payment)].map((node) => chargesOf(node, booked.currency))
  const net = sum(paidOut).minus(sum(received))
  return [net, plus(net, charges.reduce(plus, ZERO))].some((one) => one.equals(moneyOf(booked.text)))
}
