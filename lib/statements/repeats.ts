import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { formatCount } from '#lib/values/words.ts'
import type { LineAt, LineView } from './statement-view.ts'

export interface Repeat {
  readonly what: string
  readonly at: LineAt
}

export const lineAtWords = ({ number, fileName }: LineAt, here: boolean): string =>
  `line ${formatCount(number)}${here ? '' : ` of ${fileName}`}`

/** Empty for a line that is done or open. */
export function repeatsOf(line: LineView): readonly Repeat[] {
  const { sameReference: reference, bankHolder, seen, status } = line
  if (status === 'done' || status === 'open') return []
  if (seen !== null) return [{ what: `The whole line${bothWords(line)} repeats`, at: seen }]
  const bank = line.sameBankReference ?? bankHolder?.line ?? null
  if (reference !== null && bank !== null && isSame(reference, bank)) {
    return [endsWith({ what: 'The deposit’s reference and the bank’s reference', at: reference }, 2)]
  }
  return [
    ...(reference === null ? [] : [endsWith({ what: 'The deposit’s reference', at: reference })]),
    ...(bank === null ? [] : [endsWith({ what: 'The bank’s reference', at: bank })]),
  ]
}

function bothWords({ given }: LineView): string {
  const names = [
    ...(given.reference === '' ? [] : ['the deposit’s reference']),
    ...(given.bankReference === '' ? [] : ['the bank’s reference']),
  ]
  return names.length === 0 ? '' : `, including ${names.join(' and ')},`
}

const isSame = (one: LineAt, other: LineAt): boolean =>
  one.statementId === other.statementId && one.number === other.number

const endsWith = ({ what, at }: Repeat, count = 1): Repeat => ({
  what: `${what} ${count === 1 ? 'repeats that of' : 'repeat those of'}`,
  at,
})

export function suggestedReason(line: LineView): string {
  const { status, found, confirmation, statementId } = line
  const received = `The bank received ${shownAmount(line.amount)} ${line.currency || 'BZD'}`
  if (status === 'elsewhere') {
    return `The deposit was already confirmed${confirmation === null ? ', not from this console' : ` by ${confirmation.by}`}. ${received}.`
  }
  if (status !== 'mismatched' || found === null) return ''
  const verdict = found.amount
  if (verdict === 'other-currency') return `${received}; deposits are in BZD.`
  if (typeof verdict === 'object' && !verdict.match) {
    const difference = `${shownAmount(verdict.difference)} BZD ${verdict.statementIsMore ? 'too much' : 'missing'}`
    return `${difference}: ${received.replace('The', 'the')}, the deposit is ${shownAmount(found.debit)} BZD.`
  }
  const [repeat] = repeatsOf(line)
  if (repeat !== undefined) return `${repeat.what} ${lineAtWords(repeat.at, repeat.at.statementId === statementId)}.`
  return found.state === 'QUEUED' ? '' : `The deposit is ${transactionStateWords(found.state).word}, not queued.`
}
