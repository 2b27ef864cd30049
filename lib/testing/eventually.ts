import { vi } from 'vitest'

/** Only ends what hangs. */
const HANGS_AFTER_MS = 60_000

/** Resolves with the result of the first run of `check` that does not throw. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: HANGS_AFTER_MS, interval: 20 })
