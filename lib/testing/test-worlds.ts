import { test } from 'vitest'
import { raiseCase } from './test-case.ts'
import { underPolicy } from './test-policy.ts'
import { freshWorld } from './test-service.ts'
import { signedIn } from './test-session.ts'

/** The id of a seeded user, by how it ends. */
export const userIdOf = (end: string): string => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

const NO_RULES: readonly unknown[] = []
const NO_CHANGE: Readonly<Record<string, string>> = {}

/**
 * The service as it is seeded, before a console with an empty store, and its staff. A file changes `environment` and the
 * `rules` of the policy by `extend`: `override` at the top of a file would reach the files after it in the same worker.
 */
export const serviceTest = test
  .extend('environment', NO_CHANGE)
  .extend('rules', NO_RULES)
  .extend('service', async ({ environment, rules }) => {
    const service = await freshWorld(environment)
    if (rules.length > 0) underPolicy(...rules)
    return service
  })
  .extend('operator', ({ service }) => signedIn(service, 'operator@example.com', userIdOf('1')))
  .extend('arbitrator', ({ service }) => signedIn(service, 'arbitrator@example.com', userIdOf('2')))
  .extend('admin', ({ service }) => signedIn(service, 'admin@example.com', userIdOf('3')))
  .extend('viewer', ({ service }) => signedIn(service, 'viewer@example.com', userIdOf('4')))
  /** Decides cases at the service without a code. */
  .extend('newcomer', ({ service }) => signedIn(service, 'newcomer@example.com', userIdOf('5')))

/** With a case of Ana against Ben; nobody is assigned to it. */
export const caseTest = serviceTest.extend('dispute', ({ service }) => raiseCase(service))
