/** Of the reason why a line is set aside. */
export const SET_ASIDE_REASON_MAX_CHARS = 500

/** `1 line`, `1,204 lines` */
export const linesWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`

/**
 * Where a line stands on its way; the names are those of the address. `elsewhere`: its deposit is confirmed, and not by this
 * line.
 */
export const lineStatuses = [
  'ready',
  'by-hand',
  'mismatched',
  'elsewhere',
  'unknown',
  'refused',
  'unread',
  'open',
  'done',
  'set-aside',
] as const

export type LineStatus = (typeof lineStatuses)[number]

/** Each status as it is called on screen and in files. */
export const lineStatusWords: Readonly<Record<LineStatus, string>> = {
  ready: 'Ready',
  'by-hand': 'Confirmed one by one',
  mismatched: 'Mismatched',
  elsewhere: 'Confirmed elsewhere',
  unknown: 'Unknown reference',
  refused: 'Not done',
  unread: 'Not looked up',
  open: 'Not known yet',
  done: 'Done',
  'set-aside': 'Set aside',
}

/** Why a line whose reference, amount and state agree is not ready all the same. */
export type LineHold =
  | 'no-bank-reference'
  | 'bank-reference-taken'
  | 'deposit-under-way'
  /** An earlier line, of this statement or of an earlier one, names the same. */
  | 'other-line'
  /** It agreed when it was looked up, and the transaction is in another state by now. */
  | 'moved'

/** Lines that nobody has to do anything with any more. */
export const isHandled = (status: LineStatus): boolean => status === 'done' || status === 'set-aside'

/** What a person did with a line, by the name that the journal has for it. */
export function lineEditWords(what: string): string {
  switch (what) {
    case 'reference':
      return 'reference entered'
    case 'accept':
      return 'suggested reference accepted'
    case 'bank-reference':
      return 'bank’s reference entered'
    // Events of before have the second names.
    case 'set-aside':
    case 'park':
      return 'set aside'
    case 'put-back':
    case 'unpark':
      return 'put back'
    case 'look':
      return 'looked up again'
    default:
      return what
  }
}
