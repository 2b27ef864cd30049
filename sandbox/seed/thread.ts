import { formatTicks, parseTicks } from '#sandbox/world/clock.ts'
import type { Randomness } from '#sandbox/world/random.ts'
import type { DisputeSubject } from './dispute-subject.ts'
import { drawBelow, drawFraction, drawFrom, shuffled } from './draw.ts'
import { arbitratorMessages, days, hours, payerMessages, places, recipientMessages } from './thread-messages.ts'

type Speaker = 'payer' | 'recipient' | 'arbitrator'

export interface Conversation {
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

export function saidInThread(
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

export function timesBetween(random: Randomness, from: string, to: string, count: number): string[] {
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
