export class KeyedMutex {
  readonly #turns = new Map<string, Promise<unknown>>()

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work, work)
    this.#turns.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }
}

const FIRST_MS = 500
const LONGEST_MS = 30_000

/** Milliseconds: 500 doubling to 30,000, minus up to half as jitter. */
export function retryDelayMs(failures: number, random: number): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10))
  return whole * (1 - random / 2)
}
