import { formatCount } from '#lib/values/words.ts'

/** Ids in any case. */
export interface Sides {
  readonly raisedBy: string
  readonly against: string
  /** Null until the transaction was read. */
  readonly payer: string | null
}

/** By payer if known, otherwise by who raised the case. */
export type Side = 'sender' | 'recipient' | 'raised-by' | 'against'

export type Turn = 'us' | Side

export interface ThreadState {
  readonly turn: Turn | null
  readonly unread: number
  readonly newest: string | null
  /** The service's time; null if no person has written. */
  readonly lastAt: string | null
  readonly lastBy: Author | null
}

type Author = 'you' | 'staff' | Side

export interface Writer {
  /** In lower case. */
  readonly userId: string
  readonly lastKey: string
  readonly unread: number
}

/** `authors`: in order, without system messages. Staff's turn if a party wrote last or nobody did. */
export function turnOf(authors: readonly string[], sides: Sides): Turn {
  const last = authors.at(-1)
  if (last === undefined || sideOf(last, sides) !== null) return 'us'
  const party = authors.findLast((author) => sideOf(author, sides) !== null) ?? sides.against
  return sideOf(party, sides) ?? 'us'
}

export function threadStateOf(
  writers: readonly Writer[],
  sides: Sides,
  { me, resolved }: { readonly me: string; readonly resolved: boolean },
): ThreadState {
  const byTime = writers.toSorted((one, other) => (one.lastKey < other.lastKey ? -1 : 1))
  const news = resolved ? [] : byTime.filter(({ userId, unread }) => unread > 0 && !same(userId, me))
  const last = byTime.at(-1)
  const authors = byTime.map(({ userId }) => userId)
  return {
    turn: resolved ? null : turnOf(authors, sides),
    unread: news.reduce((sum, { unread }) => sum + unread, 0),
    newest: news.at(-1)?.lastKey ?? null,
    lastAt: last === undefined ? null : timeIn(last.lastKey),
    lastBy: last === undefined ? null : byOf(last.userId, sides, me),
  }
}

const byOf = (userId: string, sides: Sides, me: string): ThreadState['lastBy'] =>
  same(userId, me) ? 'you' : (sideOf(userId, sides) ?? 'staff')

function sideOf(userId: string, { raisedBy, against, payer }: Sides): Side | null {
  const raised = same(userId, raisedBy)
  if (!raised && !same(userId, against)) return null
  if (payer === null || !(same(payer, raisedBy) || same(payer, against))) return raised ? 'raised-by' : 'against'
  return same(userId, payer) ? 'sender' : 'recipient'
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const timeIn = (key: string): string => `${key.split(' ', 1)[0]}Z`

const authorWords: Readonly<Record<Author, string>> = {
  you: 'you',
  staff: 'a colleague',
  sender: 'the sender',
  recipient: 'the recipient',
  'raised-by': 'the raising party',
  against: 'the other side',
}

export const turnWords = (turn: Turn): string => `Waiting for ${turn === 'us' ? 'us' : authorWords[turn]}`

export const shortTurnWords: Readonly<Record<Turn, string>> = {
  us: 'Us',
  sender: 'Sender',
  recipient: 'Recipient',
  'raised-by': 'Raised it',
  against: 'Other side',
}

export const writtenBy = (author: Author): string => authorWords[author]

export const unreadWords = (count: number): string => `${formatCount(count)} unread`

interface Row {
  readonly id: string
  readonly thread: ThreadState | null
  readonly notices: readonly string[]
  readonly answerBy: string | null
}

/** Changed threads, notices and deadlines do not mark the list as changed. */
export function withThreads<Shown extends Row>(rows: readonly Shown[], later: readonly Shown[]): readonly Shown[] {
  const now = new Map(later.map((row) => [row.id, row]))
  return rows.map((row) => {
    const { thread, notices, answerBy } = now.get(row.id) ?? row
    return { ...row, thread: thread ?? row.thread, notices, answerBy }
  })
}
