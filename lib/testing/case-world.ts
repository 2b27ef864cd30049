import type { Session } from '#lib/session/session.ts'
import { raiseCase, type TestCase } from './test-case.ts'
import { freshWorld, type TestService } from './test-service.ts'
import { signedIn } from './test-session.ts'

/** The id of a seeded user, by how it ends. */
export const userIdOf = (end: string): string => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

interface CaseWorld {
  readonly service: TestService
  /** Of Ana against Ben; nobody is assigned to it. */
  readonly dispute: TestCase
  readonly arbitrator: Session
  readonly admin: Session
}

/** A case at the service as it is seeded, before a console with an empty store, and two who can decide it. */
export async function caseWorld(change: Readonly<Record<string, string>> = {}): Promise<CaseWorld> {
  const service = await freshWorld(change)
  return {
    service,
    dispute: await raiseCase(service),
    arbitrator: await signedIn(service, 'arbitrator@example.com', userIdOf('2')),
    admin: await signedIn(service, 'admin@example.com', userIdOf('3')),
  }
}
