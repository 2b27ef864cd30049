/** Ids in any case. */
export interface Sides {
  readonly raisedBy: string
  readonly against: string
  /** Null until the transaction was read. */
  readonly payer: string | null
}

/** By payer if known, otherwise by who raised the case. */
export type Side = 'sender' | 'recipient' | 'raised-by' | 'against'

/** `us`: the staff. */
export type Turn = 'us' | Side

/** For one reader. */
export interface ThreadState {
  /** Null for a resolved case. */
  readonly turn: Turn | null
  /** Messages by others after the last one that this person saw. */
  readonly unread: number
  /** Its sort key; null if there is none. */
  readonly newest: string | null
  /** The service's time; null if no person has written. */
  readonly lastAt: string | null
  readonly lastBy: Author | null
}

type Author = 'you' | 'staff' | Side

export interface Writer {
  /** In lower case. */
  readonly userId: string
  /** The sort key of their latest message. */
  readonly lastKey: string
  readonly unread: number
}

/**
 * Authors in order, without system messages. After a party's message, or without any, it is the staff's turn. After
 * staff, it is the turn of the party who wrote last, otherwise of the one who did not raise the case.
 */
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
  const news = byTime.filter(({ userId, unread }) => unread > 0 && !same(userId, me))
  const last = byTime.at(-1)
  return {
    turn: resolved
      ? null
      : turnOf(
          byTime.map(({ userId }) => userId),
          sides,
        ),
    unread: news.reduce((sum, { unread }) => sum + unread, 0),
    newest: news.at(-1)?.lastKey ?? null,
    lastAt: last === undefined ? null : timeIn(last.lastKey),
    lastBy: last === undefined ? null : byOf(last.userId, sides, me),
  }
}

function byOf(userId: string, sides: Sides, me: string): ThreadState['lastBy'] {
  return same(userId, me) ? 'you' : (sideOf(userId, sides) ?? 'staff')
}

/** Null if not a party. */
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
  'raised-by': 'who raised it',
  against: 'the other side',
}

export const turnWords = (turn: Turn): string => `Waiting for ${turn === 'us' ? 'us' : authorWords[turn]}`

/** Short form for a column headed by turns. */
export const shortTurnWords: Readonly<Record<Turn, string>> = {
  us: 'Us',
  sender: 'Sender',
  recipient: 'Recipient',
  'raised-by': 'Raised it',
  against: 'Other side',
}

export const writtenBy = (author: Author): string => authorWords[author]

export const unreadWords = (count: number): string => `${count.toLocaleString('en-US')} unread`
