import 'server-only'
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { meters } from '#lib/telemetry/meters.ts'
import type { AuditKindName } from './audit-kinds.ts'
import type { SessionFacts } from './session.ts'

/** Whose act it is. */
export type AuditedPerson = Pick<SessionFacts, 'actor' | 'displayName' | 'method'>

/** How an export ended: all there was, as much as one file takes, given up by the browser, or by a problem on the way. */
type ExportEnd = 'whole' | 'cut' | 'left' | 'failed'

interface Exported {
  /** The rows that were sent to the browser. */
  readonly rows: number
  /** As the address has it; empty where there was none. */
  readonly filter: string
  readonly end: ExportEnd
}

interface WithCode {
  /** The kind of change that the code was for. */
  readonly change: string
}

interface SharedView {
  readonly view: string
  readonly table: string
}

/** What an entry of each kind says beside who, when and what it is about. Never a token, code, password or card number. */
export interface AuditFacts extends Record<AuditKindName, object> {
  'session.sign-in': { readonly browser: string }
  'session.refused': { readonly why: string }
  'session.sign-out': { readonly startedAt: string }
  'session.end': { readonly why: string; readonly startedAt: string; readonly lastActiveAt: string }
  /** By who administers, about a person: each of their sessions that it ended has an entry `session.end` as well. */
  'session.end-of-other': {
    readonly person: string
    readonly userId: string
    readonly sessions: number
    readonly reason: string
  }
  'step-up.verify': WithCode & { readonly until: string }
  'step-up.reject': WithCode & { readonly triesLeft: number }
  'step-up.lock': WithCode & { readonly seconds: number }
  /** The code went out, and no answer told whether it was accepted. */
  'step-up.not-known': WithCode
  /** What a passkey signed was not taken. */
  'passkey.reject': { readonly change: string; readonly why: string }
  /** Somebody decided about a change of which they may not. */
  'approval.refuse': { readonly change: string; readonly why: string }
  'export.activity': Exported & { readonly format: string }
  /** `read`: how many rows of the history were read for it. */
  'export.history': Exported & { readonly read: number }
  'export.statement': { readonly rows: number; readonly file: string }
  'journal.check': { readonly events: number; readonly faults: number }
  'view.share': SharedView
  'view.change': SharedView & { readonly what: string }
  'view.remove': SharedView & { readonly owner: string }
}

type FactsOf<Kind extends AuditKindName> = AuditFacts[Kind]

/** One entry: `about` is the id of what it is about, empty where that is nothing but the person. */
export type AuditEntry = {
  readonly [Kind in AuditKindName]: {
    readonly by: AuditedPerson
    readonly kind: Kind
    readonly about?: string
    readonly facts: FactsOf<Kind>
  }
}[AuditKindName]

/** Puts entries into the audit trail; inside the transaction of what they tell of, where there is one. */
export async function recordAudit(db: Kysely<Tables>, ...entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const at = new Date().toISOString()
  const rows = entries.map(({ by, kind, about = '', facts }) => ({
    ...{ id: randomUUID(), at, kind, actor: by.actor, actor_name: by.displayName, method: by.method, about },
    facts: JSON.stringify(facts),
  }))
  await db.insertInto('audit_entry').values(rows).execute()
}

/** {@link recordAudit} for what has happened already, and stays so: that it could not be written is logged. */
export async function noteAudit(entry: AuditEntry): Promise<void> {
  if (entry.kind.startsWith('step-up.')) meters().stepUp(entry.kind.slice('step-up.'.length))
  try {
    await recordAudit(await store(), entry)
  } catch (error) {
    auditFailed(entry.kind, error)
  }
}

/** Says in the log that an entry is missing. */
export function auditFailed(what: string, error: unknown): void {
  const name = error instanceof Error ? error.name : 'error'
  log().error({ event: 'audit-trail', what, error: name }, 'an entry of the audit trail could not be written')
}

const HOURLY_MS = 3_600_000

const purge = () => perProcess('audit purge', () => ({ doneAt: 0 }))

/** Erases entries that are older than the database keeps them, once an hour: a chore of the maintenance. */
export async function eraseOldAudit(): Promise<void> {
  if (Date.now() < purge().doneAt + HOURLY_MS) return
  await (await store()).deleteFrom('audit_entry').where('at', '<', sql<string>`audit_kept_since()`).execute()
  purge().doneAt = Date.now()
}
