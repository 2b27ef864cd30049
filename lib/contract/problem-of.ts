import type { Problem } from './problem.ts'

/** Code of the console's refusal to change anything for a session handle that was replaced. */
export const HANDLE_REPLACED = 'console::handle::replaced'

/** Code of the console's refusal of more changes and codes than its rate limit allows. */
export const TOO_MANY_CHANGES = 'console::changes::too_many'

/** A problem of which no more is known than what is given. Free of schemas, for browsers: making one takes no zod along. */
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
