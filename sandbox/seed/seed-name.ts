/** `large` with so many times its cases at most: making more takes too long. */
const FACTOR_MAX = 20

/**
 * The worlds a sandbox can be seeded with: `demo` for people and tests, `large` for benchmarks, `large:10` for one with ten
 * times the cases of `large`.
 */
export type SeedName = 'demo' | 'large' | `large:${number}`

/** Reads `SANDBOX_SEED`; demo when it is not set. Throws, in words for the person who set it, when there is no such world. */
export function readSeedName(value: string | undefined): SeedName {
  if (value === undefined || value === '' || value === 'demo') return 'demo'
  if (value === 'large') return 'large'
  const factor = /^large:([1-9]\d?)$/.exec(value)?.[1]
  if (factor !== undefined && Number(factor) <= FACTOR_MAX) return `large:${Number(factor)}`
  throw new Error(`SANDBOX_SEED is demo, large, or large:2 to large:${FACTOR_MAX}, not ${JSON.stringify(value)}.`)
}

/** How many times the cases of `large` a large world has. */
export const factorOf = (name: SeedName): number => Number(name.split(':')[1] ?? 1)
