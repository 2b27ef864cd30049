import { formatTicks, parseTicks } from '#sandbox/world/clock.ts'
import type { Randomness } from '#sandbox/world/random.ts'

const TICKS_PER_SECOND = 10_000_000

export const drawBelow = (random: Randomness, below: number): number => random.bytes(4).readUInt32BE() % below

export const drawFraction = (random: Randomness): number => random.bytes(4).readUInt32BE() / 2 ** 32

export function drawFrom<Item>(random: Randomness, list: readonly Item[]): Item {
  const item = list[drawBelow(random, list.length)]
  if (item === undefined) throw new Error('there is nothing to draw from')
  return item
}

export const shuffled = <Item>(random: Randomness, list: readonly Item[]): Item[] =>
  list
    .map((item) => [drawFraction(random), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)

/** `seconds` before `now`, minus a random part of a second, so that times differ. */
export function ago(random: Randomness, now: string, seconds: number): string {
  const ticks = BigInt(Math.round(seconds * TICKS_PER_SECOND)) + BigInt(drawBelow(random, TICKS_PER_SECOND))
  return formatTicks(parseTicks(now) - ticks)
}
