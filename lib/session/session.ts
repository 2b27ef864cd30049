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

/** Not a private field: each bundle of the framework has its own copy of the class, which could not read it. */
const dataKeys = (): WeakMap<Session, Buffer> => perProcess('data keys', () => new WeakMap())

/**
 * A signed-in operator. The data key that opens the tokens lies apart: a session that is logged, spread, serialised or
 * handed to a client component by mistake carries no secret.
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

  constructor(facts: SessionFacts, dataKey: Buffer) {
    this.id = facts.id
    this.actor = facts.actor
    this.displayName = facts.displayName
    this.userId = facts.userId
    this.method = facts.method
    this.admittedBy = facts.admittedBy
    this.adminByClaim = facts.adminByClaim
    this.endsAt = facts.endsAt
    this.lastActiveAt = facts.lastActiveAt
    dataKeys().set(this, dataKey)
  }

  /** For the vault alone. */
  static dataKeyOf(session: Session): Buffer {
    const key = dataKeys().get(session)
    if (key === undefined) throw new Error('no session of this process')
    return key
  }
}
