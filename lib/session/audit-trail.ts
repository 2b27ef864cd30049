import 'server-only'
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { errorName, log } from '#lib/config/log.ts'
import { eraseFields, isErasable, isGenuine, saltedFields, wellFormed } from '#lib/journal/event.ts'
import { logEvents } from '#lib/journal/sequencer.ts'
import { hourly } from '#lib/store/periodic.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { meters } from '#lib/telemetry/spans.ts'
import type { AuditKindName } from './audit-kinds.ts'
import type { SessionFacts } from './session.ts'

/** Without a method if the console itself acted. */
export interface AuditedPerson extends Pick<SessionFacts, 'actor' | 'displayName'> {
  readonly method: SessionFacts['method'] | null
}

interface Exported {
  readonly rows: number
  /** As in the address; empty without one. */
  readonly filter: string
  /** `cut`: at the limit of one file. `left`: the browser cancelled it. */
  readonly end: 'whole' | 'cut' | 'left' | 'failed'
}

interface WithCode {
  readonly change: string
}

interface SharedView {
  readonly view: string
  readonly table: string
}

/** Never put a token, code, password or card number here. */
export interface AuditFacts extends Record<AuditKindName, object> {
  'session.sign-in': { readonly browser: string }
  'session.refused': { readonly why: string }
  'session.sign-out': { readonly startedAt: string }
  'session.end': { readonly why: string; readonly startedAt: string; readonly lastActiveAt: string }
  /** Each ended session also has its `session.end` entry. */
  'session.end-of-other': {
    readonly person: string
    readonly userId: string
    readonly sessions: number
    readonly reason: string
  }
  'step-up.verify': WithCode & { readonly until: string }
  'step-up.reject': WithCode & { readonly triesLeft: number }
  'step-up.lock': WithCode & { readonly seconds: number }
  /** No answer showed whether the service accepted the code. */
  'step-up.not-known': WithCode
  'passkey.reject': { readonly change: string; readonly why: string }
  'approval.refuse': { readonly change: string; readonly why: string }
  'export.activity': Exported & { readonly format: string }
  'export.approvals': Exported
  'export.cases': Exported
  'export.history': Exported & { readonly read: number }
  'export.statement': { readonly rows: number; readonly file: string }
  'export.report': { readonly rows: number; readonly file: string }
  'journal.check': { readonly events: number; readonly faults: number }
  /** SHA-256 of the policy files; null without one. */
  'policy.load': { readonly policy: string | null; readonly before: string | null; readonly rules: number }
  /** Public keys of the log, and a note in which the old one names the new. */
  'key.change': { readonly from: string; readonly to: string; readonly statement: string }
  'view.share': SharedView
  'view.change': SharedView & { readonly what: string }
  'view.remove': SharedView & { readonly owner: string }
}

/** `about` is the id of the subject; empty where that is the person. */
export type AuditEntry = {
  readonly [Kind in AuditKindName]: {
    readonly by: AuditedPerson
    readonly kind: Kind
    readonly about?: string
    readonly facts: AuditFacts[Kind]
  }
}[AuditKindName]

/** Call it inside the transaction of the change that it records. Each entry is also an event of the signed log. */
export async function recordAudit(db: Kysely<Tables>, ...entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const at = new Date().toISOString()
  const rows = entries.map(({ by, kind, about = '', facts }) => ({
    ...{ id: randomUUID(), at, kind, actor: by.actor, actor_name: by.displayName, method: by.method, about },
    facts: JSON.stringify(facts, wellFormed),
  }))
  const write = async (trx: Trx) => {
    const events = rows.map(({ id: entry, kind: state, actor, actor_name: actorName, method, about, facts }) => {
      return { at, state, actor, body: { entry, actorName, method, about, facts: JSON.parse(facts) } }
    })
    const sequences = await logEvents(trx, events)
    const placed = rows.map((row, place) => ({ ...row, sequence: sequences[place] ?? null }))
    await trx.insertInto('audit_entry').values(placed).execute()
  }
  await (isTransaction(db) ? write(db) : inTransaction(db, write))
}

const isTransaction = (db: Kysely<Tables>): db is Trx => db.isTransaction

/** {@link recordAudit} for an event that cannot be undone: a failure is logged, not thrown. */
export async function writeAudit(entry: AuditEntry): Promise<void> {
  if (entry.kind.startsWith('step-up.')) meters().stepUp(entry.kind.slice('step-up.'.length))
  try {
    await recordAudit(await store(), entry)
  } catch (error) {
    auditFailed(entry.kind, error)
  }
}

export function auditFailed(what: string, error: unknown): void {
  log().error(
    { event: 'audit-trail', what, error: errorName(error) },
    'an entry of the audit trail could not be written',
  )
}

const AT_ONCE = 500

/** After AUDIT_KEPT_DAYS. The log keeps the hashes, and says what was erased. */
export const eraseOldAudit = (): Promise<void> =>
  hourly('audit purge', async () => (await inTransaction(await store(), eraseSome)) < AT_ONCE)

async function eraseSome(trx: Trx): Promise<number> {
  const { auditKeptDays: keptDays } = config()
  const entries = await trx
    .selectFrom('audit_entry')
    .select(['id', 'sequence'])
    .where('at', '<', sql<string>`kept_since(${keptDays})`)
    // The next start compares policy and keys with these.
    .where('actor', '!=', 'console')
    .orderBy('at')
    .limit(AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute()
  const ids = entries.map(({ id }) => id)
  const sequences = entries.flatMap(({ sequence }) => sequence ?? [])
  const erased: Record<string, readonly string[]> = {}
  for (const event of (await eventsAt(trx, sequences)).filter(isGenuine)) {
    const names = new Set([...saltedFields(event).keys()].filter(isErasable))
    erased[event.sequence] = [...names]
    await eraseFields(trx, event, names)
  }
  if (ids.length > 0) await trx.deleteFrom('audit_entry').where('id', 'in', ids).execute()
  const said = { at: new Date().toISOString(), state: 'log.erase', actor: 'console', body: { erased, keptDays } }
  if (Object.keys(erased).length > 0) await logEvents(trx, [said])
  return entries.length
}

const eventsAt = async (trx: Trx, sequences: readonly number[]) =>
  sequences.length === 0
    ? []
    : await trx.selectFrom('command_event').selectAll().where('sequence', 'in', sequences).execute()
