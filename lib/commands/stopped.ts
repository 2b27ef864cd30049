import 'server-only'
import type { CommandView, Outcome } from '#lib/domain/command.ts'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, type CommandState, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { later } from './step-up.ts'
import { factsOf, kindOf, paramsOf, viewOf } from './view.ts'

/**
 * Reads the facts once more, right before a command is sent. Null when they are as the person saw them. When they moved,
 * the command ends; when they cannot be read, nothing is known to have moved and it stays as it is: a draft to be
 * confirmed anew, a command that waits for a code to be tried again.
 */
export async function stoppedByFacts(session: Session, row: CommandRow): Promise<CommandView | null> {
  const kind = kindOf(row)
  const facts = await kind.readFacts(session, paramsOf(row))
  if (!facts.ok) {
    if (row.state === 'challenged') return viewOf(row, later(facts.problem))
    const words = problemWords(facts.problem)
    return viewOf(row, {
      class: 'refused',
      sent: false,
      title: words.title,
      advice: `Nothing was sent. ${words.advice}`,
      problem: facts.problem,
    })
  }
  if (JSON.stringify(facts.value) === row.facts) return null
  return await endUnsent(row, {
    class: 'changed',
    before: kind.factLines(factsOf(row)),
    now: kind.factLines(facts.value),
  })
}

/** Every code of a prompt was rejected: the change ends, and a new one starts with new codes. */
export const endedByCodes = (row: CommandRow): Promise<CommandView> =>
  endUnsent(row, {
    class: 'refused',
    sent: false,
    title: 'Three codes were rejected',
    advice: 'Nothing was changed. Check the clock of the device with the authenticator, then start anew.',
    problem: null,
  })

/**
 * Ends a draft, or a command that waits for a code: nothing of it has happened at the service. If somebody sent it in
 * this very moment, answers what came of that instead.
 */
export async function endUnsent(row: CommandRow, outcome: Outcome): Promise<CommandView> {
  const db = await store()
  const state = row.state as CommandState
  const closed = await moveCommand(db, row.id, {
    from: [state],
    to: state === 'draft' ? 'closed' : 'refused',
    outcome: JSON.stringify(outcome),
    note: { why: outcome.class },
  })
  return viewOf(closed ?? (await findCommand(db, row.id)) ?? row)
}
