/** The two sides of a case, and which of them paid where that is known. Ids in any case. */
export interface Sides {
  readonly raisedBy: string
  readonly against: string
  /** Null while the disputed transaction was not read. */
  readonly payer: string | null
}

/** A party of a case: by who paid where that is known, else by who raised the case. */
export type Side = 'sender' | 'recipient' | 'raised-by' | 'against'

/** Whose answer a case waits for; `us`: the staff's. */
export type Turn = 'us' | Side

/** What is known of a case's thread, for one person. */
export interface ThreadState {
  /** Null for a resolved case: nobody's. */
  readonly turn: Turn | null
  /** How many messages others wrote after the latest that this person had in view. */
  readonly unread: number
  /** The latest of those: what it is put in order by. Null when there is none. */
  readonly newest: string | null
  /** When a person wrote last, as the service tells it, and who; null where nobody has written. */
  readonly lastAt: string | null
  readonly lastBy: Author | null
}

type Author = 'you' | 'staff' | Side

/** What one person wrote in a thread. */
export interface Writer {
  /** In small letters. */
  readonly userId: string
  /** What their latest message is put in order by. */
  readonly lastKey: string
  /** How many of theirs came after what the reader has seen. */
  readonly unread: number
}

/**
 * Whose turn it is, from who wrote, in order, without the system's messages. A party wrote last: ours. We did: that of the
 * party who wrote last before, else of the one who did not raise the case. Nobody wrote: ours.
 */
export function turnOf(authors: readonly string[], sides: Sides): Turn {
  const last = authors.at(-1)
  if (last === undefined || sideOf(last, sides) !== null) return 'us'
  const party = authors.findLast((author) => sideOf(author, sides) !== null) ?? sides.against
  return sideOf(party, sides) ?? 'us'
}

/** What the messages of a thread come to for the person who asks. */
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

/** Null for who is no party. */
function sideOf(userId: string, { raisedBy, against, payer }: Sides): Side | null {
  const raised = same(userId, raisedBy)
  if (!raised && !same(userId, against)) return null
  if (payer === null || !(same(payer, raisedBy) || same(payer, against))) return raised ? 'raised-by' : 'against'
  return same(userId, payer) ? 'sender' : 'recipient'
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The time in what a message is put in order by. */
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

/** Under a head that says that it is about turns. */
export const shortTurnWords: Readonly<Record<Turn, string>> = {
  us: 'Us',
  sender: 'Sender',
  recipient: 'Recipient',
  'raised-by': 'Raised it',
  against: 'Other side',
}

/** Who wrote last, after `by`. */
export const writtenBy = (author: Author): string => authorWords[author]

export const unreadWords = (count: number): string => `${count.toLocaleString('en-US')} unread`
