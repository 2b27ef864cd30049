import type { ConfirmedDeposit } from '#lib/deposits/confirmed-deposits.ts'
import { problemWords } from '#lib/service/problem-words.ts'

export interface ConfirmedRow extends Omit<ConfirmedDeposit, 'unread'> {
  /** Why the state could not be read. */
  readonly unread: string | null
}

export const confirmedRow = ({ unread, ...deposit }: ConfirmedDeposit): ConfirmedRow => ({
  ...deposit,
  unread: unreadWords(unread),
})

function unreadWords(unread: ConfirmedDeposit['unread']): string | null {
  if (unread === 'not-read') return 'The service was too slow, or out, for all of them to be read. Reload to try again.'
  return unread === null ? null : `${problemWords(unread).title}.`
}
