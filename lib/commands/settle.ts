import 'server-only'
import { z } from 'zod'
import { refusalProblem, refusedBy, refusedUnread } from '#lib/authorization/judge.ts'
import { policyInputOf } from '#lib/commands/policy/limits.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Result } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { noteFault } from '#lib/values/text.ts'
import { canView, ruleOfChange } from './access.ts'
import type { CommandReply, Line, Outcome } from './command.ts'
import { commandNamed, faultsOf, type Reconciliation, recordCommand } from './kind.ts'
import { freeKeys } from './locks.ts'
import { isAltered } from './policy/gate.ts'
import { laterDuplicates, type Reconciled, reconcileCommand, reconcileUntil } from './reconcile.ts'
import { recordRefusal } from './record.ts'
import { type CommandRow, type CommandState, factsOf, paramsOf } from './row.ts'
import { appendNote, findCommand, type Move, moveCommand, moveIn } from './store.ts'
import { inCommandTrace } from './trace.ts'
import {
  isPartyOf,
  mayBeSettledByHand,
  notFound,
  PARTY_FAULT,
  settleKindOf,
  viewOf,
  wholeViewFor,
  writeSettlement,
} from './view.ts'

export interface Verdict {
  readonly happened: boolean
  readonly why: string
}

/** What the service shows overrides the person. Frees the keys, so that the change can be repeated. */
export async function settleByHand(session: Session, id: string, verdict: Verdict): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined) return notFound
  // Authors need the scope too: this can free a key that prevents a double payment.
  const refusal = await refusedBy(session, ruleOfChange(row).change)
  if (refusal !== null) await recordRefusal(session, 'settling by hand', refusal, id)
  if (!(await canView(session, row))) return notFound
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  if (!mayBeSettledByHand(row)) return { ok: true, command: await wholeViewFor(session, row) }
  if (isPartyOf(session, row)) return { ok: false, problem: BY_A_PARTY }
  if (settleKindOf(row) !== null) return { ok: false, problem: AS_A_CHANGE }
  const { command, against } = await readBeforeSettling(session, row, verdict)
  if (against !== null) return { ok: true, command: await wholeViewFor(session, command), notice: against }
  const settled = await inCommandTrace(row, 'settle by hand', () => writeVerdict(session, command, verdict))
  return { ok: true, command: await wholeViewFor(session, settled) }
}

const BY_A_PARTY = problemOf('service', { status: 403, title: PARTY_FAULT })
const AS_A_CHANGE = problemOf('service', {
  status: 409,
  title: 'The policy has rules for this. Prepare it as a change first.',
})

export async function readBeforeSettling(
  session: Session,
  row: CommandRow,
  verdict: Verdict,
): Promise<{ readonly command: CommandRow; readonly against: string | null }> {
  const reconciled = await reconcileCommand(session, row)
  return { command: reconciled.command, against: contradiction(row, reconciled, verdict) }
}

function contradiction(row: CommandRow, { command, found }: Reconciled, { happened }: Verdict): string | null {
  if (found === null) return null
  if ('kind' in found) {
    if (happened) return null
    return `${problemWords(found).title}. You can record that it did not happen once the service can be read. Try again later.`
  }
  if (command.state === row.state) return found.settled ? null : contradictionOfOpen(command, found, happened)
  const took = command.state === 'applied'
  if (took === happened) return 'The service shows the same outcome.'
  return `The service shows that it ${took ? 'happened' : 'did not happen'}. That was recorded instead.`
}

function contradictionOfOpen(
  command: CommandRow,
  { isUnderWay, showsNoEffect, shows }: Extract<Reconciliation, { settled: false }>,
  happened: boolean,
): string | null {
  if (showsNoEffect && happened) return `The service shows no effect, so nothing was recorded. ${shows}`
  const stillWaits = command.state === 'accepted' && !mayBeSettledByHand(command)
  return isUnderWay && (!happened || stillWaits)
    ? `The service is still processing it, so nothing was recorded. ${shows}`
    : null
}

async function writeVerdict(session: Session, row: CommandRow, verdict: Verdict): Promise<CommandRow> {
  const db = await store()
  const settled = await moveCommand(db, row.id, verdictMove(row, session, verdict), async (trx) => {
    if (verdict.happened) await writeSettlement(trx, row, null)
  })
  return settled ?? (await findCommand(db, row.id)) ?? row
}

export function verdictMove(
  row: CommandRow,
  { actor, displayName }: Pick<Session, 'actor' | 'displayName'>,
  { happened, why }: Verdict,
): Move {
  const said = { label: `Recorded by ${displayName}`, value: why, as: 'text' } as const
  const outcome: Outcome = happened
    ? { class: 'done', lines: [said], steps: [] }
    : {
        class: 'refused',
        sent: true,
        title: 'It did not happen',
        advice: `Recorded by ${displayName}: ${why}`,
        problem: null,
      }
  return {
    from: [row.state as CommandState],
    to: happened ? 'applied' : 'not_applied',
    outcome: JSON.stringify(outcome),
    note: { answer: 'by hand', by: actor, byName: displayName, why },
    reconcileUntil: happened ? null : reconcileUntil(row),
    handled: !happened,
  }
}

const params = z.strictObject({ id: z.uuid(), happened: z.boolean(), why: z.string() })

type Params = z.output<typeof params>

/** All empty if the change does not wait for a person. */
type Facts = Readonly<Record<'title' | 'about' | 'by' | 'sentAt' | 'amount' | 'decision' | 'parties', string>>

const nothingToSettle: Result<Facts> = {
  ok: true,
  value: { title: '', about: '', by: '', sentAt: '', amount: '', decision: '', parties: '' },
  serviceTime: null,
}

async function factsNow(session: Session, kind: CommandKindName, id: string): Promise<Result<Facts>> {
  const { row, altered } = await inTransaction(await store(), (trx) => readLocked(trx, id))
  const settled = row && commandNamed(row.kind)
  const settledAs = settled && 'send' in settled ? settled.settledAs : undefined
  if (row === undefined || settledAs !== kind) return nothingToSettle
  const unread = row.actor === session.actor ? null : await refusedUnread(session, [ruleOfChange(row).others])
  if (unread !== null) return { ok: false, problem: refusalProblem(unread) }
  if (!(await canView(session, row)) || !mayBeSettledByHand(row)) return nothingToSettle
  if (altered) return { ok: false, problem: ALTERED }
  const { amount, decision } = policyInputOf(row)
  const parties = commandNamed(row.kind)?.parties?.(paramsOf(row), factsOf(row)) ?? []
  const value = {
    title: viewOf(row).title,
    about: row.target,
    by: row.actor_name,
    sentAt: row.sent_at ?? '',
    amount: amount ?? '',
    decision: decision ?? '',
    parties: parties.join(' '),
  }
  return { ok: true, value, serviceTime: null }
}

/** The row lock prevents a comparison with newer events. */
async function readLocked(trx: Trx, id: string) {
  const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forShare().executeTakeFirst()
  return { row, altered: row !== undefined && (await isAltered(trx, row)) }
}

const factLines = ({ title, about, by, sentAt }: Facts): Line[] => [
  { label: 'Change', value: title === '' ? 'already settled' : title, as: 'text' },
  { label: 'About', value: about, as: 'mono' },
  { label: 'Sent by', value: by, as: 'text' },
  { label: 'Sent', value: sentAt, as: 'time' },
]

/** Settling is a separate change, so that policy rules apply to it. */
export const settleKind = (kind: CommandKindName) =>
  recordCommand<Params, Facts>({
    kind,
    params,
    immediate: false,
    checkParams: ({ why }) => faultsOf({ why: noteFault(why, 'Enter how you know, for example who confirmed it.') }),
    readFacts: (session, { id }) => factsNow(session, kind, id),
    checkFacts: (_params, { title }) => faultsOf({ id: title === '' ? 'It no longer needs a person.' : null }),
    policyInput: (_params, { amount, decision }) => ({
      amount,
      ...(decision === 'refund' || decision === 'release' ? { decision } : {}),
    }),
    parties: (_params, facts) => facts.parties.split(' '),
    refusesParties: { field: 'id', fault: PARTY_FAULT },
    target: ({ id }) => id,
    settles: ({ id }) => id,
    locks: ({ id }) => [{ key: `settle:${id}`, permanent: false }],
    describeLockConflict: () => ({ field: 'id', what: 'Someone is settling it' }),
    title: ({ happened }, { title }) => `Record that it ${happened ? 'happened' : 'did not happen'}: ${title}`,
    button: ({ happened }) => (happened ? 'It happened' : 'It did not happen'),
    summary: ({ happened, why }, facts) => [
      ...factLines(facts),
      { label: 'Result', value: happened ? 'it happened' : 'it did not happen', as: 'text' },
      { label: 'How you know', value: why, as: 'text' },
    ],
    factLines,
    consequence: ({ happened }) =>
      happened
        ? 'You record this as done.'
        : 'You record this as not done, so it can be done again. If it did take effect, it happens twice.',
    async checkLast(session, { id, ...verdict }) {
      const row = await findCommand(await store(), id)
      if (row === undefined || !mayBeSettledByHand(row)) return GONE
      const { against } = await readBeforeSettling(session, row, verdict)
      return against === null ? null : { title: NOT_RECORDED, advice: against }
    },
    async checkUnderLock(trx, { params: { id } }) {
      const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      return row === undefined || !mayBeSettledByHand(row) ? GONE : null
    },
    describeSuccess: (_params, facts) => ({ steps: [], lines: factLines(facts) }),
    async record(trx, { actor, actorName, params: { id, ...verdict } }) {
      const row = await findCommand(trx, id)
      if (row === undefined) throw new Error(`there is no command ${id}`)
      await moveIn(trx, id, verdictMove(row, { actor, displayName: actorName }, verdict))
      if (verdict.happened) await writeSettlement(trx, row, null)
    },
  })

const ALTERED = problemOf('service', {
  status: 409,
  title: 'This change was altered in the database. Contact your administrator.',
})
const NOT_RECORDED = 'It was not recorded'
const GONE = { title: NOT_RECORDED, advice: 'It no longer needs a person.' }

/** Only a person frees these keys, never a timer: with the scope, a reason and a new read that does not contradict. */
export async function freeLock(session: Session, id: string, why: string): Promise<CommandReply> {
  const row = await findHandleable(session, id, 'freeing the lock of a change')
  if ('ok' in row) return row
  if (row.state !== 'not_applied') return { ok: true, command: await wholeViewFor(session, row) }
  if (isPartyOf(session, row)) return { ok: false, problem: BY_A_PARTY }
  const reconciled = await reconcileCommand(session, row)
  const against = await whyNotFree(reconciled)
  if (against !== null) return { ok: true, command: await wholeViewFor(session, reconciled.command), notice: against }
  await free(session, reconciled.command, why)
  return { ok: true, command: await wholeViewFor(session, (await findCommand(await store(), id)) ?? row) }
}

async function findHandleable(session: Session, id: string, what: string) {
  const row = await findCommand(await store(), id)
  if (row === undefined) return notFound
  const refusal = await refusedBy(session, ruleOfChange(row).change)
  if (refusal !== null) await recordRefusal(session, what, refusal, id)
  if (commandNamed(row.kind) === undefined || !(await canView(session, row))) return notFound
  return refusal === null ? row : ({ ok: false, problem: refusalProblem(refusal) } as const)
}

/** Keeps the locks, and a late effect still raises an alarm. */
export async function dismissChange(session: Session, id: string, why: string): Promise<CommandReply> {
  const row = await findHandleable(session, id, 'dismissing a change')
  if ('ok' in row) return row
  if (isPartyOf(session, row)) return { ok: false, problem: BY_A_PARTY }
  const db = await store()
  await inJournal(db, async (trx) => {
    if (!(await markHandled(trx, id))) return
    appendNote(trx, id, { dismissed: true, by: session.actor, byName: session.displayName, why })
  })
  return { ok: true, command: await wholeViewFor(session, (await findCommand(db, id)) ?? row) }
}

async function markHandled(trx: Trx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('command')
    .set({ handled_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'not_applied')
    .where('handled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function whyNotFree({ command, found }: Reconciled): Promise<string | null> {
  if (found === null) return null
  if ('kind' in found)
    return `${problemWords(found).title}. The lock stays until the service can be read. Try again later.`
  if (command.state !== 'not_applied') return 'It took effect after all. The lock stays.'
  if (!found.settled) {
    return found.showsNoEffect ? null : `The service does not rule out an effect. The lock stays. ${found.shows}`
  }
  if ('notApplied' in found) return null
  // Only a `done` answer proves that another change caused the effect.
  const later = await laterDuplicates(command)
  return later.some(({ state }) => state === 'done') ? null : 'This change may have taken effect. The lock stays.'
}

async function free(session: Session, { id }: CommandRow, why: string): Promise<void> {
  await inJournal(await store(), async (trx) => {
    const still = await trx
      .selectFrom('command')
      .select('state')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (still?.state !== 'not_applied') return
    const freed = await freeKeys(trx, id)
    if (freed.length === 0) return
    await markHandled(trx, id)
    appendNote(trx, id, { freed, by: session.actor, byName: session.displayName, why })
  })
}
