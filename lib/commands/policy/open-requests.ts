import 'server-only'
import { refusedToMake } from '#lib/authorization/judge.ts'
import { canView, ruleOfChange } from '#lib/commands/access.ts'
import { refusedUnsent } from '#lib/commands/command.ts'
import { compareFacts, endMoved, endUnsent, factsMark, readFactsAgain } from '#lib/commands/prepare.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { kindOf } from '#lib/commands/view.ts'
import { log } from '#lib/config/log.ts'
import { boundedCache, perProcess, steadyNow } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { askForReread, findAwaitingIds, WAITING_MAX } from './approval-table.ts'

/** Each open request is compared with the service at most this often per process. */
const EVERY_MS = 30_000
const PER_ROUND_MAX = 3

const lately = () => perProcess('reviewed requests', () => boundedCache<number>(WAITING_MAX))
const reviewedAt = (id: string): number => lately().get(id) ?? 0

/** Ends requests whose facts have moved or whose author may no longer send them, as far as these sessions can read. */
export async function reviewOpenRequests(sessions: ReadonlySet<Session>): Promise<void> {
  if (sessions.size === 0) return
  const db = await store()
  const due = (await findAwaitingIds(db)).filter((id) => reviewedAt(id) + EVERY_MS <= steadyNow())
  due.sort((one, other) => reviewedAt(one) - reviewedAt(other))
  for (const id of due.slice(0, PER_ROUND_MAX)) {
    lately().set(id, steadyNow())
    try {
      const row = await findCommand(db, id)
      if (row?.state === 'awaiting_approval') await review(sessions, row)
    } catch {
      log().warn({ event: 'request-review', id }, 'an open request could not be compared with the service')
    }
  }
}

async function review(sessions: ReadonlySet<Session>, row: CommandRow): Promise<void> {
  const own = [...sessions].find(({ actor }) => actor === row.actor)
  const refusal = own === undefined ? null : await refusedToMake(own, ruleOfChange(row))
  if (refusal?.known) {
    const outcome = refusedUnsent('Its author may no longer make this change', 'Nothing was sent.')
    await endUnsent(row, outcome, { handled: false })
    return
  }
  const reader = own ?? (await firstThatSees(sessions, row))
  if (reader === null) return
  const kind = kindOf(row)
  const facts = await readFactsAgain(reader, kind, row)
  if (!facts.ok) return
  const moved = compareFacts(kind, row, facts.value)
  if (moved === 'void') await endMoved(row, facts.value, { handled: false })
  else await askForReread(await store(), row, moved === 'same' ? null : factsMark(kind, facts.value))
}

async function firstThatSees(sessions: ReadonlySet<Session>, row: CommandRow): Promise<Session | null> {
  for (const session of sessions) if (await canView(session, row)) return session
  return null
}
