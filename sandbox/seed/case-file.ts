import type { Insertable } from 'kysely'
import { formatTicks, parseTicks } from '#sandbox/world/clock.ts'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import type { DisputeSubject } from './dispute-subject.ts'
import { drawBelow, drawFraction, drawFrom, shuffled } from './draw.ts'

export interface Party {
  readonly userId: string
  readonly firstName: string
}

export interface SeedCase {
  readonly referenceId: string
  readonly subject: DisputeSubject
  readonly reason: string
  readonly amount: string
  readonly payer: Party
  readonly recipient: Party
  readonly raisedAt: string
  /** Includes system messages. */
  readonly messages: number
  readonly arbitratorId: string
  readonly resolved: SeedResolution | null
}

export interface SeedResolution {
  readonly at: string
  readonly reason: string
  /** Null when the recipient kept the money. */
  readonly reversal: string | null
}

export class CaseFile {
  readonly cases: Insertable<Tables['dispute_case']>[] = []
  readonly messages: Insertable<Tables['dispute_message']>[] = []
  readonly #random: Randomness
  readonly #now: string

  constructor(random: Randomness, now: string) {
    this.#random = random
    this.#now = now
  }

  add(subject: SeedCase): void {
    const id = newUuid(this.#random)
    const { payer, recipient, resolved } = subject
    this.cases.push({
      id,
      reference_id: subject.referenceId,
      raised_by_user_id: payer.userId,
      counterparty_user_id: recipient.userId,
      status: resolved === null ? 'OPEN' : 'RESOLVED',
      reason: subject.reason,
      resolution_outcome: resolved === null ? null : outcomeOf(resolved),
      resolution_reason: resolved?.reason ?? null,
      resolved_by_user_id: resolved === null ? null : subject.arbitratorId,
      created_at: subject.raisedAt,
      resolved_at: resolved?.at ?? null,
    })
    this.messages.push(
      ...this.#thread(subject).map((message, index) => ({
        id: newUuid(this.#random),
        case_id: id,
        position: index + 1,
        ...message,
      })),
    )
  }

  #thread(subject: SeedCase): Written[] {
    const { payer, recipient, raisedAt, resolved } = subject
    const byPeople = subject.messages - (resolved === null ? 1 : 2)
    const firstNames = { payer: payer.firstName, recipient: recipient.firstName }
    const said = saidInThread(this.#random, { subject: subject.subject, amount: subject.amount, firstNames }, byPeople)
    const times = timesBetween(this.#random, raisedAt, resolved?.at ?? this.#now, byPeople)
    const senders = { payer: payer.userId, recipient: recipient.userId, arbitrator: subject.arbitratorId }
    return [
      { sender_user_id: null, body: OPENED, created_at: raisedAt },
      ...said.map(({ speaker, body }, index) => ({
        sender_user_id: senders[speaker],
        body,
        created_at: times[index] ?? raisedAt,
      })),
      ...(resolved === null ? [] : [{ sender_user_id: null, body: closing(resolved), created_at: resolved.at }]),
    ]
  }
}

type Written = Pick<Insertable<Tables['dispute_message']>, 'sender_user_id' | 'body' | 'created_at'>

const OPENED = 'Opened by the sender. The money stays in escrow until the case is resolved.'

const closing = ({ reversal }: SeedResolution): string =>
  reversal === null ? 'Resolved: the recipient keeps the money.' : `Resolved: the sender is refunded by ${reversal}.`

const outcomeOf = ({ reversal }: SeedResolution): string => (reversal === null ? 'RELEASED' : 'REFUNDED')

type Speaker = 'payer' | 'recipient' | 'arbitrator'

interface Conversation {
  readonly subject: DisputeSubject
  readonly amount: string
  readonly firstNames: Readonly<Record<'payer' | 'recipient', string>>
}

const ARBITRATED_FROM_MESSAGES = 5
const ONE_IN_SO_MANY_BY_THE_ARBITRATOR = 8
const ONE_IN_SO_MANY_SPEAKS_AGAIN = 5
const ONE_IN_SO_MANY_AT_ONCE = 16
/** Two messages this close have the same millisecond; only the seventh digit differs. */
const AT_ONCE_TICKS = 3n

function saidInThread(
  random: Randomness,
  conversation: Conversation,
  count: number,
): { speaker: Speaker; body: string }[] {
  const lines = {
    payer: linesOf(random, conversation.subject.payer, payerMessages),
    recipient: linesOf(random, conversation.subject.recipient, recipientMessages),
    arbitrator: linesOf(random, [], arbitratorMessages),
  }
  const said: { speaker: Speaker; body: string }[] = []
  const bodies = new Set<string>()
  let party: 'payer' | 'recipient' = 'payer'
  while (said.length < count) {
    const speaker: Speaker = arbitratorSpeaks(random, said, count) ? 'arbitrator' : party
    const body = filled(random, conversation, speaker, lines[speaker]())
    if (bodies.has(body)) continue
    bodies.add(body)
    said.push({ speaker, body })
    const again = said.length > 1 && drawBelow(random, ONE_IN_SO_MANY_SPEAKS_AGAIN) === 0
    if (speaker === party && !again) party = party === 'payer' ? 'recipient' : 'payer'
  }
  return said
}

function arbitratorSpeaks(random: Randomness, said: readonly { speaker: Speaker }[], count: number): boolean {
  if (count < ARBITRATED_FROM_MESSAGES || said.length < 2 || said.at(-1)?.speaker === 'arbitrator') return false
  return drawBelow(random, ONE_IN_SO_MANY_BY_THE_ARBITRATOR) === 0
}

function linesOf(random: Randomness, first: readonly string[], others: readonly string[]): () => string {
  const waiting = [...first]
  return () => {
    if (waiting.length === 0) waiting.push(...shuffled(random, others))
    return waiting.shift() ?? ''
  }
}

function filled(random: Randomness, { amount, firstNames }: Conversation, speaker: Speaker, line: string): string {
  const addressed = { payer: 'recipient', recipient: 'payer', arbitrator: 'recipient' } as const
  const slots: Readonly<Record<string, () => string>> = {
    other: () => firstNames[addressed[speaker]],
    amount: () => `$${amount}`,
    place: () => drawFrom(random, places),
    hour: () => drawFrom(random, hours),
    day: () => drawFrom(random, days),
  }
  return line.replace(/\{(\w+)\}/g, (slot, name: string) => slots[name]?.() ?? slot)
}

function timesBetween(random: Randomness, from: string, to: string, count: number): string[] {
  const [start, end] = [parseTicks(from), parseTicks(to)]
  const span = Number(end - start)
  const parts = Array.from({ length: count }, () => drawFraction(random)).sort((a, b) => a - b)
  let last = start
  return parts.map((part) => {
    const atOnce = last > start && drawBelow(random, ONE_IN_SO_MANY_AT_ONCE) === 0
    const drawn = start + BigInt(Math.floor(part * span))
    const later = drawn > last ? drawn : last + 1n
    last = atOnce ? last + AT_ONCE_TICKS : later
    return formatTicks(last)
  })
}

const payerMessages: readonly string[] = [
  'I wrote to you on {day} and again at {hour} the day after. No answer until this case was opened.',
  'That is not what you said at {place}.',
  'I have nothing to add to what I wrote above, {other}. The facts did not change.',
  'My sister was with me at {place} and heard every word.',
  'Today at {hour} somebody with your number called me and hung up. Please do not do that.',
  'I can send the pictures again. They are from {day}.',
  'How long does this take? It is {day} tomorrow and I still do not have my money.',
  'If I get {amount} back I will not say another word about it.',
  'OK. Then explain why you were at {place} at {hour} when you told me you were ill.',
  'I looked it up: I paid within a minute of your message. You had the money before I had anything.',
  'That is no answer, {other}.',
  'Yes, I read that. I still disagree.',
  'I will be at {place} on {day} around {hour}, if you want to settle this like neighbours.',
  'Two people have told me since that the same thing happened to them.',
  'Sorry for the late reply, no signal out here until {hour}.',
  'I never deleted anything. My whole chat from {day} on is still there, you can have a copy.',
  'You keep changing the story. First it was {place}, now it is somewhere else.',
  'Fair enough, the part about {hour} may be my mistake. It changes nothing about the rest.',
  'Please stop writing to my mother about this.',
  'Thank you for answering at last.',
  'I would accept half by {day}. Not later.',
  'No. I said half by {day}, and that was before you insulted me.',
  'A friend who works at {place} says this is not how it is done.',
  '👍 then send it, and we are done.',
  'For the arbitrator, in order:\n1. paid on {day} at {hour}\n2. asked for it at {place}\n3. no answer for two days\n4. this case',
  'It is all in the advert, it is still online: https://example.com/listings/belize-district/for-sale/2026/0000481516234200815?from=saved',
]

const recipientMessages: readonly string[] = [
  'I answer when I can, {other}. I work until {hour}.',
  'I was not at {place} on {day}. Ask my boss.',
  'You got what you paid for.',
  'I have five stars from everybody else. You are the first who complains.',
  'That number is not mine, so I did not call anybody at {hour}.',
  'The pictures show nothing, they are dark. Take new ones on {day}, in daylight.',
  '{amount} is the price for all of it, and all of it is what you took.',
  'I told you about that before you paid, at {place}, and you said no problem.',
  'Half I would have given you last week. Now I had costs as well.',
  'Why should I be the one who drives to {place}? You can come here too, after {hour}.',
  'I am sorry if I was rude. It was a bad day.',
  'My phone was stolen on {day}, so I do not have our old messages.',
  'Whoever told you that does not know me.',
  'I spoke to a lawyer at {place}. He says I do not have to give anything back.',
  'Let the arbitrator decide, I am tired of this.',
  'I can prove it: the shop at {place} wrote me a receipt at {hour}.',
  'Once more: I did my part.',
  'No, no and no. You opened this case the minute I went to sleep.',
  'My last offer stands until {day}.',
  'I did not write to your mother. She wrote to me!',
  'Then we do agree on something: it was {hour}.',
  'Read what I wrote on {day} again, please. Slowly.',
  'OK, I checked. You are right about that one point and only that one.',
  'What you sent is called photo\u202Egpj.exe. I do not open such things.',
  'I am at {place} all week. Bring it, take your money, finished.',
]

const arbitratorMessages: readonly string[] = [
  'I have read the whole thread. {other}, please attach to your answer when and where you handed it over.',
  'Both of you: please keep to what happened. Everything else makes this slower.',
  'I need one more thing from each of you by {day}: the message in which the price was agreed.',
  'The payment of {amount} is held until I decide. Neither of you can use it, and neither of you loses it.',
  'I asked at {place}. They confirm that the meeting was planned for {hour}.',
  'Do not meet to settle this in person. Write it here, then it counts.',
  'I see two different versions of {day}. Which of them can be shown by a receipt, a photo or a message?',
  'Thank you. That helps.',
  'If you agree on a part, say here which part and I will close the case in that sense.',
  'I will be back on {day} and read what has been added until then.',
  'Please do not share phone numbers or addresses in this thread.',
  'The pictures are readable. I have no further question about them.',
  'I am waiting for an answer to my question of {day}.',
]

const places: readonly string[] = [
  'the bus terminal',
  'the swing bridge',
  'Battlefield Park',
  'the water taxi',
  'the market',
  'the football ground',
  'the clock tower',
  'the gas station by the roundabout',
  'the post office',
  'St. John’s',
  'the ferry landing',
  'the hardware store',
]

const hours: readonly string[] = ['6:30', '7', '8:15', '9', '10:40', 'noon', '1:30', '3', '4:20', '5', '6:45', '9']

const days: readonly string[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
