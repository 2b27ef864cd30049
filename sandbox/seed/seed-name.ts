/** The worlds a sandbox can be seeded with: `demo` for people and tests, `large` for benchmarks. */
const seedNames = ['demo', 'large'] as const

export type SeedName = (typeof seedNames)[number]

/** Reads `SANDBOX_SEED`; demo when it is not set. Throws, in words for the person who set it, when there is no such world. */
export function readSeedName(value: string | undefined): SeedName {
  if (value === undefined || value === '') return 'demo'
  const name = seedNames.find((known) => known === value)
  if (name === undefined) throw new Error(`SANDBOX_SEED is ${seedNames.join(' or ')}, not ${JSON.stringify(value)}.`)
  return name
}
