export const SET_ASIDE_REASON_MAX_CHARS = 500

export const linesWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`

/** These are query values. `elsewhere`: confirmed, but not by this line. */
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

export type LineHold =
  | 'no-bank-reference'
  | 'bank-reference-taken'
  | 'deposit-under-way'
  /** An earlier line names the same reference or bank reference, in any statement. */
  | 'other-line'
  | 'moved'

export const isHandled = (status: LineStatus): boolean => status === 'done' || status === 'set-aside'

export function lineEditWords(what: string): string {
  switch (what) {
    case 'reference':
      return 'reference entered'
    case 'accept':
      return 'suggested reference accepted'
    case 'bank-reference':
      return 'bank’s reference entered'
    // Older journal events have the second name.
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
