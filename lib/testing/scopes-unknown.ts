import { randomUUID } from 'node:crypto'
import type { Session } from '#lib/session/session.ts'
import type { TestService } from './test-service.ts'
import { signedIn } from './test-session.ts'

/** A session of somebody whose scopes the console cannot read: the service knows nobody of the user id that it has. */
export const scopesUnknown = (service: TestService, email: string): Promise<Session> =>
  signedIn(service, email, randomUUID())
