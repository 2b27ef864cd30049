import type { DisputeCase, DisputeMessage } from '#lib/contract/disputes.ts'
import { requiredTextFault } from '#lib/values/text.ts'

export type ThreadMessage = Readonly<Omit<DisputeMessage, 'disputeCaseId'>>

export type ThreadCase = Readonly<DisputeCase>

const FRACTION_DIGITS = 7

/** For sorting. The service drops trailing zeros of fractions, and `Date` loses four of the seven digits. */
export function timeKey(time: string): string {
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(FRACTION_DIGITS, '0')}`
}

export const orderKey = (message: Pick<ThreadMessage, 'id' | 'createdAt'>): string =>
  `${timeKey(message.createdAt)} ${messageKey(message)}`

/** A UUID may come in either case. */
export const messageKey = ({ id }: Pick<ThreadMessage, 'id'>): string => id.toLowerCase()

/** The arrived version wins. */
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

/** A long thread is not sorted again for a new last message. */
function standsLast(message: ThreadMessage, known: readonly ThreadMessage[]): boolean {
  const last = known.at(-1)
  if (last !== undefined && orderKey(last) > orderKey(message)) return false
  const id = messageKey(message)
  return !known.some((other) => messageKey(other) === id)
}

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

/** The service has its own limit. */
const MESSAGE_MAX_CHARS = 4_000

export const messageFault = (typed: string): string | null =>
  requiredTextFault(typed, MESSAGE_MAX_CHARS, 'Enter a message.')

export const MESSAGE_LINE = 'Message'

/** `until`: ISO 8601 in whole minutes. The service has no field for it. */
export const answerLine = (until: string): string =>
  `Please answer by ${until.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC.`

/** A message exactly as it is sent. */
export const withAnswerLine = (typed: string, until: string | null): string =>
  until === null || typed.trim() === '' ? typed.trim() : `${typed.trim()}\n\n${answerLine(until)}`

export function splitAnswerLine(body: string): { readonly text: string; readonly until: string | null } {
  const [line = '', day, clock] = /\n\nPlease answer by (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC\.$/.exec(body.trimEnd()) ?? []
  const until = `${day}T${clock}:00.000Z`
  if (Number.isNaN(Date.parse(until))) return { text: body, until: null }
  return { text: body.trimEnd().slice(0, -line.length), until }
}

export const isAmongParagraphs = (saved: string, body: string): boolean =>
  `\n\n${saved}\n\n`.includes(`\n\n${body}\n\n`)

/** The thread shows messages that may have been sent. Removes whole paragraphs only. */
export const withoutMessages = (saved: string, open: readonly { readonly body: string }[]): string =>
  open.reduce((text, { body }) => text.replace(`\n\n${body}\n\n`, () => '\n\n'), `\n\n${saved}\n\n`).trim()
