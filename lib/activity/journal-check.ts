import 'server-only'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { FAULTS_MAX, verifyJournal } from '#lib/journal/verify.ts'
import { recordAudit } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import { atLeisure, inTransaction, store } from '#lib/store/store.ts'

export async function latestCheck(): Promise<JournalCheck | null> {
  const row = await (await store()).selectFrom('journal_check').selectAll().executeTakeFirst()
  if (row === undefined) return null
  const { at, by_name: byName, events, root, faults } = row
  return checkOf({ at, byName, events, root, faults: JSON.parse(faults) })
}

const checkOf = (check: JournalCheck): JournalCheck =>
  check.faults.length < FAULTS_MAX ? check : { ...check, isCut: true }

/** One at a time per process, because it reads the whole journal. */
const running = () => perProcess<{ check: Promise<JournalCheck> | null }>('journal check', () => ({ check: null }))

export async function checkJournal(session: Session): Promise<JournalCheck> {
  const now = running()
  now.check ??= checkAs(session).finally(() => {
    now.check = null
  })
  return await now.check
}

/** Some statements read the whole journal. */
const LIMIT = { statementMs: 600_000 }

async function checkAs(session: Session): Promise<JournalCheck> {
  const { displayName } = session
  const db = await store()
  const { entries: _, ...report } = await atLeisure((apart) => verifyJournal(apart, config()), LIMIT)
  const check = checkOf({ ...report, at: new Date().toISOString(), byName: displayName })
  const { at, events, root, faults } = check
  const row = { at, by_name: displayName, events, root, faults: JSON.stringify(faults) }
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('journal_check')
      .values({ one: 1, ...row })
      .onConflict((conflict) => conflict.column('one').doUpdateSet(row))
      .execute()
    await recordAudit(trx, { by: session, kind: 'journal.check', facts: { events, faults: faults.length } })
  })
  return check
}

export interface JournalCheck {
  /** ISO 8601: when the check ended. */
  readonly at: string
  readonly byName: string
  readonly events: number
  /** The root hash of the log, also in `journal-end` lines. */
  readonly root: string
  /** In journal order; empty if the journal is intact. */
  readonly faults: readonly { readonly sequence: number; readonly what: string }[]
  readonly isCut?: true
}
