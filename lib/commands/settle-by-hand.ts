import 'server-only'
import { refusalProblem, refusedBy } from '#lib/authorization/judge.ts'
import type { CommandReply, Outcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { ruleOfChange, seesChange } from './change-sight.ts'
import { keepRows } from './keep.ts'
import { notFound } from './not-found.ts'
import { mayBeSettledByHand, viewOf } from './view.ts'

export interface Verdict {
  readonly happened: boolean
  /** How the person knows. */
  readonly why: string
}

/**
 * Settles a command whose end nobody can read, by the word of a person who knows: the journal keeps who, and why. Frees
 * its keys, so that what did not happen can be done anew.
 */
export async function settleByHand(session: Session, id: string, { happened, why }: Verdict): Promise<CommandReply> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !(await seesChange(session, row))) return notFound
  // Whose change it is makes no difference: what is said here may free a key that keeps money from moving twice.
  const refusal = await refusedBy(session, ruleOfChange(row).change)
  if (refusal !== null) return { ok: false, problem: refusalProblem(refusal) }
  if (row.state !== 'unknown' || !mayBeSettledByHand(row)) return { ok: true, command: viewOf(row) }
  const said = { label: `Said by ${session.displayName}`, value: why, as: 'text' } as const
  const outcome: Outcome = happened
    ? { class: 'done', lines: [said], steps: [] }
    : {
        class: 'refused',
        sent: true,
        title: 'It did not happen',
        advice: `${session.displayName} says so: ${why}`,
        problem: null,
      }
  const settled = await moveCommand(
    db,
    id,
    {
      from: ['unknown'],
      to: happened ? 'applied' : 'not_applied',
      outcome: JSON.stringify(outcome),
      note: { answer: 'by hand', by: session.actor, byName: session.displayName, why },
    },
    async (trx) => {
      if (happened) await keepRows(trx, row, null)
    },
  )
  return { ok: true, command: viewOf(settled ?? row) }
}
