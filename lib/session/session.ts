import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'

interface Grant {
  readonly token: string
  readonly actor: string
  /** The grant works only for requests with this handle. */
  readonly idHash: string
  /** Milliseconds since 1970, by this machine's clock. */
  readonly endsAt: number
}

const KEPT_MAX = 10_000

const grants = (): Map<string, Grant> => perProcess('grants', () => new Map())

/** In memory only (interface.md, "Step-up verification"). `endsAt`: by this machine's clock. */
export function saveGrant(session: Session, token: string, endsAt: string): void {
  const kept = grants()
  const now = Date.now()
  for (const [id, grant] of kept) if (grant.endsAt <= now || kept.size >= KEPT_MAX) kept.delete(id)
  const { id, actor } = session
  kept.set(id, { token, actor, idHash: Session.handleOf(session).idHash, endsAt: Date.parse(endsAt) })
}

function liveGrant(session: Session): Grant | null {
  const grant = grants().get(session.id)
  return grant?.idHash === Session.handleOf(session).idHash && grant.endsAt > Date.now() ? grant : null
}

export const grantOf = (session: Session): string | null => liveGrant(session)?.token ?? null

/** ISO 8601. */
export function verifiedUntil(session: Session): string | null {
  const grant = liveGrant(session)
  return grant === null ? null : new Date(grant.endsAt).toISOString()
}

/** `refused` is a grant that the service rejected; a newer one is kept. */
export function dropGrant(sessionId: string, refused?: string): void {
  if (refused === undefined || grants().get(sessionId)?.token === refused) grants().delete(sessionId)
}

export function dropGrantsOf(actor: string): void {
  for (const [id, grant] of grants()) if (grant.actor === actor) grants().delete(id)
}

export type SignInMethod = 'sso' | 'password'

export type AdmittedBy = 'claim' | 'scopes'

export type SessionFacts = Pick<Session, keyof Session>

export interface SessionHandle {
  /** SHA-256 of the id half of the handle: the key of its row. */
  readonly idHash: string
  /** A newer handle exists; this one may only read until its grace ends. */
  readonly isReplaced: boolean
}

interface SessionSecrets {
  readonly dataKey: Buffer
  readonly handle: SessionHandle
  readonly rotation: PromiseWithResolvers<string>
  readonly newHandle: string | null
}

/** Not a private field: each Next bundle has its own copy of the class. */
const secrets = (): WeakMap<Session, SessionSecrets> => perProcess('session secrets', () => new WeakMap())

/** Secrets are not properties: a session that is logged, serialised or passed to a client component leaks none. */
export class Session {
  readonly id: string
  readonly actor: string
  readonly displayName: string
  readonly userId: string
  readonly method: SignInMethod
  readonly admittedBy: AdmittedBy
  readonly adminByClaim: boolean
  /** Absolute end, ISO 8601. */
  readonly endsAt: string
  /** When the request opened the session, ISO 8601. */
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

  /** For the vault only. */
  static dataKeyOf(session: Session): Buffer {
    return secretsOf(session).dataKey
  }

  static handleOf(session: Session): SessionHandle {
    return secretsOf(session).handle
  }

  /** Changes this request only. */
  static rotate(session: Session, idHash: string, newHandle: string): void {
    const { rotation, ...rest } = secretsOf(session)
    secrets().set(session, { ...rest, rotation, handle: { idHash, isReplaced: false }, newHandle })
    rotation.resolve(newHandle)
  }

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
