import { expect } from '@playwright/test'
import type { Browser } from './browser.ts'
import type { Stream } from './stream.ts'

/** What every page follows. */
const TOPICS = ['session', 'own-cases']

/** So many tabs in each browser, every one with a stream of its own, all of them open. */
export async function openAll(browsers: readonly Browser[], tabsEach: number): Promise<readonly Stream[]> {
  const streams = browsers.flatMap((browser) => Array.from({ length: tabsEach }, () => browser.follow(TOPICS)))
  await expect.poll(() => streams.filter(({ isOpen }) => !isOpen).length, { timeout: 60_000 }).toBe(0)
  return streams
}

/** How long each stream that was opened again since then took, in milliseconds, the slowest last. */
export const backAfter = (streams: readonly Stream[], then: number): readonly number[] =>
  streams
    .flatMap(({ opened }) => opened.find((at) => at > then) ?? [])
    .map((at) => at - then)
    .sort((one, other) => one - other)

/** How many are not open, or came back too late. */
export const notBackWithin = (streams: readonly Stream[], then: number, withinMs: number): number =>
  streams.filter(({ isOpen }) => !isOpen).length + backAfter(streams, then).filter((ms) => ms > withinMs).length
