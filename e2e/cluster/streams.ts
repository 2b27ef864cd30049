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
