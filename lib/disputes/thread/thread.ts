/** A message of a dispute case's thread (interface.md, "Dispute message"). */
export interface ThreadMessage {
  readonly id: string
  /** Null on system messages. */
  readonly senderUserId: string | null
  readonly isSystemMessage: boolean
  readonly body: string
  /** As the service wrote it. */
  readonly createdAt: string
}

/** A dispute case without its thread (interface.md, "Dispute case"). */
export interface ThreadCase {
  readonly id: string
  readonly referenceId: string
  readonly raisedByUserId: string
  readonly counterpartyUserId: string
  readonly status: string
  readonly reason: string
  readonly resolutionOutcome: string | null
  readonly resolutionReason: string | null
  readonly resolvedByUserId: string | null
  readonly createdAt: string
  readonly resolvedAt: string | null
}

const FRACTION_DIGITS = 7

/**
 * What messages are put in order by: the time as text, then the id. A `Date` would lose four of the seven fractional
 * digits; a service that leaves zeros off at the end gets them back, or its text would sort wrongly.
 */
export function orderKey(message: Pick<ThreadMessage, 'id' | 'createdAt'>): string {
  const [seconds = '', fraction = ''] = message.createdAt.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(FRACTION_DIGITS, '0')} ${messageKey(message)}`
}

/** What tells messages apart: a UUID may be written in either case. */
export const messageKey = ({ id }: Pick<ThreadMessage, 'id'>): string => id.toLowerCase()

/** Known messages and some that arrived, each once and in order. Of two with the same id the arrived one stays. */
export function mergeMessages(
  known: readonly ThreadMessage[],
  arrived: readonly ThreadMessage[],
): readonly ThreadMessage[] {
  if (arrived.length === 0) return known
  const [only] = arrived
  if (arrived.length === 1 && only !== undefined && standsLast(only, known)) return [...known, only]
  const byId = new Map<string, ThreadMessage>()
  for (const message of [...known, ...arrived]) byId.set(messageKey(message), message)
  return [...byId.values()]
    .map((message) => ({ message, key: orderKey(message) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ message }) => message)
}

/** The usual case, a message that has just been posted: a long thread is not put in order anew for it. */
function standsLast(message: ThreadMessage, known: readonly ThreadMessage[]): boolean {
  const last = known.at(-1)
  if (last !== undefined && orderKey(last) > orderKey(message)) return false
  const id = messageKey(message)
  return !known.some((other) => messageKey(other) === id)
}

/** How many messages of a thread its two parties wrote. */
export const partyMessages = ({
  case: { raisedByUserId, counterpartyUserId },
  messages,
}: {
  readonly case: ThreadCase
  readonly messages: readonly ThreadMessage[]
}): number =>
  messages.filter(({ senderUserId }) =>
    [raisedByUserId, counterpartyUserId].some((party) => party.toLowerCase() === senderUserId?.toLowerCase()),
  ).length
