import { type CaseParties, type CaseRole, isAmong, roleIn } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'

export type ThreadItem =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: ThreadMessage
      /** Follows another message of the same person, so it needs no header. */
      readonly follows: boolean
    }

/** A message of the same person within this time is grouped with the one before. */
const FOLLOWS_WITHIN_MS = 5 * 60_000

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const

/** With a divider per day and above `firstNew`. `zone`: IANA name, or the browser's. Other years are shown. */
export function threadItems(
  messages: readonly ThreadMessage[],
  firstNew: string | null,
  zone: string | undefined,
  thisYear?: string,
): readonly ThreadItem[] {
  const format = new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone: zone })
  const dayOf = ({ createdAt }: ThreadMessage) => {
    const day = format.format(new Date(createdAt)).replace(',', '')
    return thisYear === undefined || day.endsWith(` ${thisYear}`) ? day.slice(0, day.lastIndexOf(' ')) : day
  }
  const items: ThreadItem[] = []
  let dayBefore = ''
  for (const message of messages) {
    const day = dayOf(message)
    if (day !== dayBefore) items.push({ kind: 'day', key: `day ${message.id}`, day })
    dayBefore = day
    if (message.id === firstNew) items.push({ kind: 'new', key: 'new' })
    const above = items.at(-1)
    const follows = above?.kind === 'message' && belongsTo(above.message, message)
    items.push({ kind: 'message', key: message.id, message, follows })
  }
  return items
}

const belongsTo = (above: ThreadMessage, message: ThreadMessage): boolean =>
  !(above.isSystemMessage || message.isSystemMessage) &&
  isAmong(above.senderUserId, [message.senderUserId ?? '']) &&
  Date.parse(message.createdAt) - Date.parse(above.createdAt) <= FOLLOWS_WITHIN_MS

interface RoleCount {
  readonly role: CaseRole
  readonly count: number
  readonly first: ThreadMessage | null
}

export function countByRole(messages: readonly ThreadMessage[], parties: CaseParties): readonly RoleCount[] {
  const { fromAccountId, raisedByUserId, toAccountId, counterpartyUserId } = parties
  const sides = [fromAccountId ?? raisedByUserId, toAccountId ?? counterpartyUserId].map((id) => roleIn(parties, id))
  return [...sides, 'Arbitrator' as const].map((role) => {
    const theirs = messages.filter(
      ({ senderUserId }) => senderUserId !== null && roleIn(parties, senderUserId) === role,
    )
    return { role, count: theirs.length, first: theirs[0] ?? null }
  })
}

/** Case-insensitive matches as start and end in UTF-16 units, without overlaps. */
export function findMatches(text: string, wanted: string): readonly (readonly [number, number])[] {
  const words = wanted.trim()
  if (words === '') return []
  const pattern = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: hit }) => [index, index + hit.length])
}
