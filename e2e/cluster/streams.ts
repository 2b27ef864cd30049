import { setTimeout as wait } from 'node:timers/promises'
import { expect } from '@playwright/test'
import type { Browser } from './browser.ts'
import type { Stream } from './stream.ts'

/** What every page follows. */
const TOPICS = ['session', 'own-cases']

/** The pauses of pages before they ask again, however fast the machine is. */
const PAUSES_MS = 3_000
const LOOK_EVERY_MS = 100

interface OpenStreams {
  readonly streams: readonly Stream[]
  /** The pauses and twice the first opening: one process opens what two did. */
  readonly backWithinMs: number
}

/** So many tabs in each browser, every one with a stream of its own, all of them open. */
export async function openAll(browsers: readonly Browser[], tabsEach: number): Promise<OpenStreams> {
  const began = performance.now()
  const streams = browsers.flatMap((browser) => Array.from({ length: tabsEach }, () => browser.follow(TOPICS)))
  await expect.poll(() => countClosed(streams), { timeout: 60_000 }).toBe(0)
  const openedMs = Math.max(...streams.map(({ opened: [first = began] }) => first - began))
  return { streams, backWithinMs: PAUSES_MS + 2 * openedMs }
}

export const countClosed = (streams: readonly Stream[]): number => streams.filter(({ isOpen }) => !isOpen).length

/** Until all are open again or are late; as long as the pauses at least, for those that are cut in the meantime. */
export async function waitUntilBack({ streams, backWithinMs }: OpenStreams, then: number): Promise<void> {
  await wait(then + PAUSES_MS - performance.now())
  while (countClosed(streams) > 0 && performance.now() < then + backWithinMs) await wait(LOOK_EVERY_MS)
}

/** How long each stream that was opened again since then took, in milliseconds, the slowest last. */
export const backAfter = (streams: readonly Stream[], then: number): readonly number[] =>
  streams
    .flatMap(({ opened }) => opened.find((at) => at > then) ?? [])
    .map((at) => at - then)
    .sort((one, other) => one - other)

/** How many are not open, or came back too late. */
export const countLate = ({ streams, backWithinMs }: OpenStreams, then: number): number =>
  countClosed(streams) + backAfter(streams, then).filter((ms) => ms > backWithinMs).length
