import 'server-only'
import type { CommandReply } from '#lib/commands/command.ts'
import { type CommandRow, findCommand, moveIn } from '#lib/commands/command-table.ts'
import { inCommandTrace } from '#lib/commands/command-trace.ts'
import { expired, isExpired } from '#lib/commands/draft-life.ts'
import { inJournal } from '#lib/commands/journal.ts'
import { judge } from '#lib/commands/policy/policy-gate.ts'
import { endIfChanged, endUnsent, preflight, wrongProof } from '#lib/commands/preflight.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { notFound, notHere, paramsOf, viewOf } from '#lib/commands/view.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { approvalOutcome } from './approval-outcome.ts'
import { findRequest, hasRoomToWait, insertRequest, requestNote, WAITING_OF_AUTHOR_MAX } from './approval-table.ts'
import { isKnownPerson } from './may-decide.ts'

export interface Asking {
  readonly reason: string
  readonly proof: string | null
}

/** For the author's draft only. Afterwards only the author can send it. Safe to repeat. */
export async function askForApproval(session: Session, id: string, asking: Asking): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  return await inCommandTrace(row, 'ask', () => ask(session, row, asking))
}

async function ask(session: Session, row: CommandRow, { reason, proof }: Asking): Promise<CommandReply> {
  if (row.state !== 'draft') return { ok: true, command: viewOf(row) }
  if (kindNamed(row.kind) === undefined) return { ok: true, command: viewOf(row, notHere) }
  if (!isKnownPerson(session)) return { ok: false, problem: NOT_KNOWN }
  if (isExpired(row)) return { ok: true, command: await endUnsent(row, expired) }
  const stopped = (await endIfChanged(row)) ?? wrongProof(row, proof) ?? (await preflight(session, row))
  if (stopped !== null) return { ok: true, command: stopped }
  const db = await store()
  const asked = await inJournal(db, (trx) => askIn(trx, row.id, reason))
  if (asked === 'too-many') return { ok: false, problem: TOO_MANY }
  if (asked === 'not-needed') return { ok: true, command: viewOf(row), notice: NOT_NEEDED }
  const now = asked ?? (await findCommand(db, row.id))
  return now === undefined ? notFound : { ok: true, command: viewOf(now) }
}

const NOT_KNOWN = problemOf('service', {
  status: 403,
  title: 'It is not known which person this account is, so it makes nothing that needs an approval.',
})
const TOO_MANY = problemOf('service', {
  status: 409,
  title: `${WAITING_OF_AUTHOR_MAX} of your changes wait for approval already, the most that can wait. Send the approved ones or take some back, then ask again.`,
})
const NOT_NEEDED = 'It needs no approval any more. Start it anew and confirm it.'

async function askIn(trx: Trx, id: string, reason: string): Promise<CommandRow | 'not-needed' | 'too-many' | null> {
  const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row?.state !== 'draft') return null
  const { stopped, ...judged } = await judge(trx, row)
  if (stopped !== null) {
    return await moveIn(trx, id, {
      from: ['draft'],
      to: 'closed',
      outcome: JSON.stringify(stopped.outcome),
      note: stopped.note,
    })
  }
  const need = 'need' in judged ? judged.need : null
  if (need === null) return 'not-needed'
  if (!(await hasRoomToWait(trx, row.actor))) return 'too-many'
  await insertRequest(trx, id, need, reason)
  const request = await findRequest(trx, id)
  if (request === null) throw new Error('a request was made and is gone')
  const enteredBy = (await kindNamed(row.kind)?.enteredBy?.(trx, paramsOf(row))) ?? []
  return await moveIn(trx, id, {
    from: ['draft'],
    to: 'awaiting_approval',
    outcome: JSON.stringify(approvalOutcome(request, [])),
    note: { ...requestNote(request), ...(enteredBy.length === 0 ? {} : { enteredBy }) },
  })
}
