import { performance } from 'node:perf_hooks'
import { CLIENTS } from './client.ts'

/** The embedded engine is compiled further while it works, for some seconds. */
const WARM_UP_MS = 5_000
const MEASURED_MS = 6000

/** How often a second something is done by all clients together, each as fast as the one before is answered. */
export async function perSecond(once: (client: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  let counted = 0
  const until = began + WARM_UP_MS + MEASURED_MS
  const loop = async (client: number): Promise<void> => {
    while (performance.now() < until) {
      await once(client)
      const now = performance.now()
      if (now > began + WARM_UP_MS && now < until) counted += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => loop(client)))
  return counted / (MEASURED_MS / 1000)
}

/** Milliseconds. */
export interface Times {
  readonly median: number
  /** Nineteen of twenty took no longer. */
  readonly slow: number
}

/** How long something takes when it is done so often, one after the other, after as many times that do not count. */
export async function timesOf(times: number, once: () => Promise<unknown>): Promise<Times> {
  for (let n = 0; n < times; n += 1) await once()
  const taken: number[] = []
  for (let n = 0; n < times; n += 1) taken.push(await timeOf(once))
  return { median: median(taken), slow: quantile(taken, 0.95) }
}

/** The value that such a share of all is below. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Milliseconds. */
export async function timeOf(once: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await once()
  return performance.now() - began
}
