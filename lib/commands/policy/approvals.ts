import 'server-only'
import {
  type CommandReply,
  type DraftReply,
  type Outcome,
  type RefusedOutcome,
  refusedUnsent,
} from '#lib/commands/command.ts'
import { commandNamed } from '#lib/commands/kind.ts'
import {
  compareFacts,
  draftCommand,
  endIfChanged,
  endMoved,
  endUnsent,
  factsMark,
  preflight,
  readFactsAgain,
  wrongProof,
} from '#lib/commands/prepare.ts'
import { recordRefusal } from '#lib/commands/record.ts'
import { type CommandRow, type Note, paramsOf } from '#lib/commands/row.ts'
import { afterConfirming } from '#lib/commands/send.ts'
import { findCommand, type Move, moveIn } from '#lib/commands/store.ts'
import { inCommandTrace } from '#lib/commands/trace.ts'
import { expired, isExpired, kindOf, locksOf, notFound, notHere, viewFor, viewOf } from '#lib/commands/view.ts'
import { log } from '#lib/config/log.ts'
import { isFirstOf } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { writeAudit } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { timeInText } from '#lib/values/time.ts'
import {
  type ApprovalRequest,
  approvalExpired,
  approvalOutcome,
  findApprovals,
  findOpenRequest,
  findRequest,
  hasRoomToWait,
  insertApproval,
  insertRequest,
  lockRequestKeys,
  type OpenRequest,
  requestNote,
  WAITING_OF_AUTHOR_MAX,
} from './approval-table.ts'
import { type DecisionRefusal, isKnownPerson, refusalToDecide } from './approval-view.ts'
import { noticeOfShortage } from './approvers.ts'
import { judge, notAsPrepared } from './gate.ts'
import { insertAssertion, type StoredAssertion } from './passkey-table.ts'
import { type Assertion, takeAssertion } from './passkeys.ts'

export interface Decision {
  readonly approves: boolean
  readonly effect: string
  readonly reason: string
  readonly passkey?: Assertion
  /** {@link factsMark} of the facts that the approver saw; if absent, they saw those of the request. */
  readonly factsMark?: string
}

/** Holds only for the effect that the person saw. A row lock orders it against a simultaneous withdrawal. */
export async function decideApproval(session: Session, id: string, decision: Decision): Promise<CommandReply> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || row.state === 'draft') return notFound
  const not = await refusalToDecide(session, row)
  if (not !== null) {
    await recordRefusedDecision(session, row, not)
    return not.unseen ? notFound : { ok: false, problem: not.problem }
  }
  if (row.state !== 'awaiting_approval') return { ok: true, command: viewFor(session, row), ...notices.late }
  const changed = await endIfChanged(row, { handled: false })
  if (changed !== null) return { ok: true, command: changed, ...notices.late }
  const seen = decision.approves ? await readFactsSeen(session, row, decision) : { seenFacts: null }
  if ('stopped' in seen) return seen.stopped
  return await inCommandTrace(row, 'decide', async () => {
    const present = await assertionFor(session, row, decision)
    if ('problem' in present) return { ok: false, problem: present.problem }
    const decided = await inJournal(db, (trx) => decideIn(trx, session, id, { ...decision, ...present, ...seen }))
    const now = await findCommand(db, id)
    if (now === undefined) return notFound
    if (decided === 'other-effect') return { ok: false, problem: OTHER_EFFECT }
    return { ok: true, command: viewFor(session, now), ...notices[decided] }
  })
}

interface FactsSeen {
  /** The mark of what was new and read; null if nothing was. */
  readonly seenFacts: string | null
}

async function readFactsSeen(
  session: Session,
  row: CommandRow,
  decision: Decision,
): Promise<FactsSeen | { readonly stopped: CommandReply }> {
  const kind = kindOf(row)
  const facts = await readFactsAgain(session, kind, row)
  if (!facts.ok) return { stopped: { ok: false, problem: facts.problem.status === 403 ? facts.problem : NOT_READ } }
  const moved = compareFacts(kind, row, facts.value)
  if (moved === 'same') return { seenFacts: null }
  if (moved === 'void') {
    return { stopped: { ok: true, command: await endMoved(row, facts.value, { handled: false }), ...notices.moved } }
  }
  const mark = factsMark(kind, facts.value)
  return mark === decision.factsMark ? { seenFacts: mark } : { stopped: { ok: false, problem: NEWS } }
}

const conflict = (title: string) => problemOf('service', { status: 409, title })

const NOT_READ = conflict('The current data could not be read, so your approval was not recorded. Try again.')
const NEWS = conflict('Something new arrived since you opened this page. Read it, then decide.')

const EVERY_MS = 60_000

async function recordRefusedDecision(
  session: Session,
  row: CommandRow,
  { why, refusal }: DecisionRefusal,
): Promise<void> {
  meters().approvalRefused(why)
  if (refusal !== null) await recordRefusal(session, 'deciding about a change', refusal, row.id)
  if (!isFirstOf('refused decisions', `${session.actor} ${row.id}`, EVERY_MS)) return
  log().warn({ event: 'approval-refused', id: row.id, actor: session.actor, why })
  await writeAudit({ by: session, kind: 'approval.refuse', about: row.id, facts: { change: row.kind, why } })
}

async function assertionFor(
  session: Session,
  row: CommandRow,
  { approves, passkey }: Decision,
): Promise<{ readonly assertion: StoredAssertion | null } | { readonly problem: Problem }> {
  const request = await findRequest(await store(), row.id)
  if (!approves || !request?.passkey) return { assertion: null }
  if (passkey === undefined) return { problem: conflict('Approving needs your passkey.') }
  const taken = await takeAssertion(session, row, { except: null }, passkey)
  return taken.ok ? taken : { problem: conflict(`${taken.title}. Try again.`) }
}

const OTHER_EFFECT = conflict('This change differs from what you saw. Reload the page and check it again.')

type DecisionResult = 'taken' | 'late' | 'twice' | 'other-effect'

const notices: Readonly<Record<Exclude<DecisionResult, 'other-effect'> | 'moved', { readonly notice?: string }>> = {
  taken: {},
  moved: { notice: 'The data has changed, so this request has ended. Your approval was not recorded.' },
  late: { notice: 'It no longer waits for a decision. Yours was not recorded.' },
  twice: { notice: 'You have already decided.' },
}

async function decideIn(
  trx: Trx,
  session: Session,
  id: string,
  decision: Decision & FactsSeen & { readonly assertion: StoredAssertion | null },
): Promise<DecisionResult> {
  const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  const request = await findRequest(trx, id)
  if (row?.state !== 'awaiting_approval' || request === null) return 'late'
  if (decision.effect !== row.effect) return 'other-effect'
  const otherwise = request.expired ? { outcome: approvalExpired, note: {} } : await notAsPrepared(trx, row)
  if (otherwise !== null) {
    await end(trx, id, otherwise.outcome, otherwise.note)
    return 'late'
  }
  const isDecided = (await findApprovals(trx, id)).some(({ actor }) => actor === session.actor)
  const { approves, effect, reason, assertion, seenFacts } = decision
  const isReread = isDecided && approves
  // After an approval, a person may read what is new, or decline.
  if (isDecided && (!request.reread || (approves && seenFacts === null))) return 'twice'
  const by = { actor: session.actor, actor_name: session.displayName }
  if (!isReread) await insertApproval(trx, { command_id: id, ...by, approves, effect, reason })
  const asserted = assertion === null ? {} : await insertAssertion(trx, row, assertion)
  const seen = seenFacts === null ? {} : { seenFacts }
  const note = { ...(isReread ? rereadNote(session) : noteOf(session, approves, reason)), ...asserted, ...seen }
  if (approves) await approve(trx, row, request, note)
  else await end(trx, id, declined(session, reason), note)
  return 'taken'
}

async function approve(trx: Trx, row: CommandRow, request: ApprovalRequest, note: Note) {
  await moveIn(trx, row.id, {
    from: ['awaiting_approval'],
    to: 'awaiting_approval',
    outcome: JSON.stringify(approvalOutcome(request, await findApprovals(trx, row.id))),
    note,
  })
}

const end = (trx: Trx, id: string, outcome: Outcome, note: Readonly<Record<string, unknown>>) =>
  moveIn(trx, id, { from: ['awaiting_approval'], to: 'closed', outcome: JSON.stringify(outcome), note })

const noteOf = (session: Session, approves: boolean, reason: string) => ({
  decision: approves ? 'approved' : 'declined',
  by: session.actor,
  byName: session.displayName,
  ...(reason === '' ? {} : { why: reason }),
})

const rereadNote = ({ actor, displayName }: Session) => ({ reread: true, by: actor, byName: displayName })

const declined = (session: Session, reason: string): Outcome =>
  refusedUnsent(`${session.displayName} declined it`, `Nothing was sent. ${reason}`)

interface Asking {
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
  if (commandNamed(row.kind) === undefined) return { ok: true, command: viewOf(row, notHere) }
  if (!isKnownPerson(session)) return { ok: false, problem: NOT_KNOWN }
  if (isExpired(row)) return { ok: true, command: await endUnsent(row, expired) }
  const stopped = (await endIfChanged(row)) ?? wrongProof(row, proof) ?? (await preflight(session, row))
  if (stopped !== null) return { ok: true, command: stopped }
  const db = await store()
  const keys = locksOf(row).map(({ key }) => key)
  const result = await inJournal(db, (trx) => requestIn(trx, row.id, { reason, keys }))
  if (result === 'too-many') return { ok: false, problem: TOO_MANY }
  if (result === 'not-needed') return { ok: true, command: viewOf(row), notice: NOT_NEEDED }
  const now = result ?? (await findCommand(db, row.id))
  if (now?.state === 'awaiting_approval') await afterConfirming(session, now)
  return now === undefined ? notFound : { ok: true, command: viewOf(now), ...(await noticeOfShortage(db, now)) }
}

const NOT_KNOWN = problemOf('service', {
  status: 403,
  title: 'This account has no known user id, so it cannot request approvals.',
})
const TOO_MANY = conflict(
  `You already have ${WAITING_OF_AUTHOR_MAX} changes waiting for approval. Send or cancel some first.`,
)
const NOT_NEEDED = 'It no longer needs approval. Start again and confirm it.'

async function requestIn(
  trx: Trx,
  id: string,
  input: { readonly reason: string; readonly keys: readonly string[] },
): Promise<CommandRow | 'not-needed' | 'too-many' | null> {
  const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row?.state !== 'draft') return null
  const { stopped, ...judged } = await judge(trx, row)
  const move = (to: Move['to'], outcome: Outcome, note?: Note) =>
    moveIn(trx, id, { from: ['draft'], to, outcome: JSON.stringify(outcome), ...(note && { note }) })
  if (stopped !== null) return await move('closed', stopped.outcome, stopped.note)
  const need = 'need' in judged ? judged.need : null
  if (need === null) return 'not-needed'
  await lockRequestKeys(trx, input.keys)
  const open = await findOpenRequest(trx, input.keys)
  if (open !== null) return await move('closed', askedAlready(open))
  if (!(await hasRoomToWait(trx, row.actor))) return 'too-many'
  await insertRequest(trx, id, need, input)
  const request = await findRequest(trx, id)
  if (request === null) throw new Error('a request was made and is gone')
  const enteredBy = (await commandNamed(row.kind)?.enteredBy?.(trx, paramsOf(row))) ?? []
  const note = { ...requestNote(request), ...(enteredBy.length === 0 ? {} : { enteredBy }) }
  return await move('awaiting_approval', approvalOutcome(request, []), note)
}

/** Prepares an own request that ended unsent once more, with its reason. Null if there is no such request. */
export async function draftAgain(session: Session, id: string): Promise<DraftReply | null> {
  const db = await store()
  const [row, request] = [await findCommand(db, id), await findRequest(db, id)]
  if (row === undefined || request === null || row.actor !== session.actor || row.state !== 'closed') return null
  // It would be prepared with “(erased)” in place of a reason.
  if (row.erased_at !== null) return null
  const kind = commandNamed(row.kind)
  if (kind === undefined) return null
  const reply = await draftCommand(session, kind, paramsOf(row))
  if (!reply.ok || reply.draft.approval === null) return reply
  return { ok: true, draft: { ...reply.draft, approval: { ...reply.draft.approval, reason: request.reason } } }
}

const askedAlready = ({ row, askedAt }: OpenRequest): RefusedOutcome => ({
  ...refusedUnsent(
    'This waits for approval already',
    `Nothing was requested. ${row.actor_name} requested it at ${timeInText(askedAt)}: ${viewOf(row).title}.`,
  ),
  heldBy: row.id,
})
