import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

export type SignInMethod = 'sso' | 'password'

/** What made a person staff: a claim of the ID token, or scopes of the service. */
export type AdmittedBy = 'claim' | 'scopes'

export interface SessionFacts {
  readonly id: string
  /** Who acts, as the journal writes it. */
  readonly actor: string
  readonly displayName: string
  /** The service's user id. */
  readonly userId: string
  readonly method: SignInMethod
  readonly admittedBy: AdmittedBy
  /** Whether the claim that is configured for it makes them an administrator. */
  readonly adminByClaim: boolean
  /** Absolute end, ISO 8601. */
  readonly endsAt: string
  /** The latest activity when it was opened, ISO 8601. */
  readonly lastActiveAt: string
}

/** The handle by which a session was opened. */
export interface SessionHandle {
  /** SHA-256 of the half that finds the session: the key of its row. */
  readonly idHash: string
  /** A newer handle exists, so this one may only read until its grace ends. */
  readonly isReplaced: boolean
}

interface SessionSecrets {
  readonly dataKey: Buffer
  readonly handle: SessionHandle
  /** Resolves with the new handle for the cookie when this request has rotated it. */
  readonly rotation: PromiseWithResolvers<string>
  readonly newHandle: string | null
}

/** Not a private field: each bundle of the framework has its own copy of the class, which could not read it. */
const secrets = (): WeakMap<Session, SessionSecrets> => perProcess('session secrets', () => new WeakMap())

/**
 * A signed-in operator, as one request opened the session. What opens the tokens lies apart: a session that is logged,
 * spread, serialised or handed to a client component by mistake carries no secret.
 */
export class Session implements SessionFacts {
  readonly id: string
  readonly actor: string
  readonly displayName: string
  readonly userId: string
  readonly method: SignInMethod
  readonly admittedBy: AdmittedBy
  readonly adminByClaim: boolean
  readonly endsAt: string
  readonly lastActiveAt: string

  constructor(facts: SessionFacts, dataKey: Buffer, handle: SessionHandle) {
    this.id = facts.id
    this.actor = facts.actor
    this.displayName = facts.displayName
    this.userId = facts.userId
    this.method = facts.method
    this.admittedBy = facts.admittedBy
    this.adminByClaim = facts.adminByClaim
    this.endsAt = facts.endsAt
    this.lastActiveAt = facts.lastActiveAt
    secrets().set(this, { dataKey, handle, rotation: Promise.withResolvers(), newHandle: null })
  }

  /** For the vault alone. */
  static dataKeyOf(session: Session): Buffer {
    return secretsOf(session).dataKey
  }

  static handleOf(session: Session): SessionHandle {
    return secretsOf(session).handle
  }

  /** Continues this request with a new handle. Sessions that other requests opened with the old one keep the old one. */
  static rotate(session: Session, idHash: string, newHandle: string): void {
    const { rotation, ...rest } = secretsOf(session)
    secrets().set(session, { ...rest, rotation, handle: { idHash, isReplaced: false }, newHandle })
    rotation.resolve(newHandle)
  }

  /** The handle that the cookie of this request's answer must carry; null when it was not rotated. */
  static newHandleOf(session: Session): string | null {
    return secretsOf(session).newHandle
  }

  static whenRotated(session: Session): Promise<string> {
    return secretsOf(session).rotation.promise
  }
}

function secretsOf(session: Session): SessionSecrets {
  const known = secrets().get(session)
  if (known === undefined) throw new Error('no session of this process')
  return known
}
