import 'server-only'
import { log } from '#lib/config/log.ts'
import type { Outcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { factsOf, kindOf, paramsOf } from './view.ts'

/**
 * Adds to a command that is written down as done what can be read only now. What cannot be read stays as not known: the
 * end itself does not depend on it.
 */
export async function tellMore(session: Session, row: CommandRow, data: unknown): Promise<CommandRow> {
  const kind = kindOf(row)
  if (row.state !== 'done' || kind.tellMore === undefined) return row
  try {
    const more = await kind.tellMore(session, paramsOf(row), factsOf(row), data)
    if (more === null) return row
    const outcome: Outcome = { class: 'done', ...more }
    const move = { from: ['done'], to: 'done', outcome: JSON.stringify(outcome), note: { answer: 'read' } } as const
    return (await moveCommand(await store(), row.id, move)) ?? row
  } catch {
    log().warn({ event: 'tell-more', id: row.id }, 'what a change led to could not be read')
    return row
  }
}
