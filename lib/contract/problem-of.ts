import type { Problem } from './problem.ts'

export const HANDLE_REPLACED = 'console::handle::replaced'

export const TOO_MANY_CHANGES = 'console::changes::too_many'

export const CHANGES_STOPPED = 'console::changes::stopped'

/** Free of zod, for browsers. */
export const problemOf = (kind: Problem['kind'], known: Partial<Omit<Problem, 'kind'>> = {}): Problem => ({
  kind,
  status: null,
  code: null,
  title: null,
  traceId: null,
  retryAfterSeconds: null,
  scope: null,
  ...known,
})
