import 'server-only'
import { refusalProblem, refusedBy } from '#lib/authorization/judge.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canView, ruleOfChange } from './access.ts'
import type { CommandReply, Outcome } from './command.ts'
import type { Reconciliation } from './command-kind.ts'
import { type CommandRow, type CommandState, findCommand, type Move, moveCommand } from './command-table.ts'
import { inCommandTrace } from './command-trace.ts'
import { wholeViewFor } from './person-view.ts'
import { type Reconciled, reconcileCommand, reconcileUntil } from './reconcile.ts'
import { recordRefusal } from './recorded-act.ts'
import { mayBeSettledByHand, notFound, settleKindOf, writeSettlement } from './view.ts'

export interface Verdict {
  readonly happened: boolean
  readonly why: string
}

/**
 * The service is read first, and what it shows overrides the person. Frees the keys, so that the change can be
 * repeated.
 */
export async function settleByHand(session: Session, id: string, verdict: Verdict): Promise<CommandReply> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined) return notFound
  // Authors need the scope too: this can free a key that prevents a double payment.
  const refusal = await refusedBy(session, ruleOfChange(row).change)
  if (refusal !== null) await recordRefusal(session, 'settling by hand', refusal, id)
  if (!(await canView(session, row))) return notFound
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  if (!mayBeSettledByHand(row)) return { ok: true, command: await wholeViewFor(session, row) }
  if (settleKindOf(row) !== null) return { ok: false, problem: AS_A_CHANGE }
  const { command, against } = await readBeforeSettling(session, row, verdict)
  if (against !== null) return { ok: true, command: await wholeViewFor(session, command), notice: against }
  const settled = await inCommandTrace(row, 'settle by hand', () => writeVerdict(session, command, verdict))
  return { ok: true, command: await wholeViewFor(session, settled) }
}

const AS_A_CHANGE = problemOf('service', {
  status: 409,
  title: 'The policy has rules for settling this by hand: prepare it, so that it can be judged.',
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
    return `${problemWords(found).title}. That it did not happen is recorded only once the service can be read: try again later.`
  }
  if (command.state === row.state) return found.settled ? null : contradictionOfOpen(command, found, happened)
  const took = command.state === 'applied'
  if (took === happened) return 'The service was read first, and shows the same.'
  return `The service was read first, and shows that it ${took ? 'happened' : 'did not happen'}. That is what was recorded.`
}

function contradictionOfOpen(
  command: CommandRow,
  { isUnderWay, showsNoEffect, shows }: Extract<Reconciliation, { settled: false }>,
  happened: boolean,
): string | null {
  if (showsNoEffect && happened) return `The service shows no effect, so it is not recorded as happened. ${shows}`
  const stillWaits = command.state === 'accepted' && !mayBeSettledByHand(command)
  return isUnderWay && (!happened || stillWaits)
    ? `The service still works on it, so nothing is recorded. ${shows}`
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
  const said = { label: `Said by ${displayName}`, value: why, as: 'text' } as const
  const outcome: Outcome = happened
    ? { class: 'done', lines: [said], steps: [] }
    : {
        class: 'refused',
        sent: true,
        title: 'It did not happen',
        advice: `${displayName} says so: ${why}`,
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
