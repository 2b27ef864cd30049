const FACTOR_MAX = 20

/** `demo` for people and tests, `large` for benchmarks, `large:10` with ten times the cases of `large`. */
export type SeedName = 'demo' | 'large' | `large:${number}`

/** Reads `SANDBOX_SEED`; `demo` by default. Throws an Error for the person who set it. */
export function readSeedName(value: string | undefined): SeedName {
  if (value === undefined || value === '' || value === 'demo') return 'demo'
  if (value === 'large') return 'large'
  const factor = /^large:([1-9]\d?)$/.exec(value)?.[1]
  if (factor !== undefined && Number(factor) <= FACTOR_MAX) return `large:${Number(factor)}`
  throw new Error(`SANDBOX_SEED is demo, large, or large:2 to large:${FACTOR_MAX}, not ${JSON.stringify(value)}.`)
}

export const factorOf = (name: SeedName): number => Number(name.split(':')[1] ?? 1)
