import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ruleOfChange } from './access.ts'
import { actorWords } from './actor-words.ts'
import type { CommandView } from './command.ts'
import type { CommandRow } from './command-table.ts'
import { keptKeys } from './kept-locks.ts'
import { madeMeanwhile } from './meanwhile.ts'
import { kindNamed } from './registry.ts'
import { kindOf, paramsOf, viewOf } from './view.ts'

export const viewFor = (session: Session, row: CommandRow): CommandView => ({
  ...viewOf(row),
  actorName: actorWords(session, row),
  yours: row.actor === session.actor,
})

export async function wholeViewFor(session: Session, row: CommandRow): Promise<CommandView> {
  return { ...(await withMeanwhile(session, row, viewFor(session, row))), ...(await toHandle(session, row)) }
}

export async function withMeanwhile(session: Session, row: CommandRow, view: CommandView): Promise<CommandView> {
  return view.outcome.class === 'changed' ? { ...view, meanwhile: await madeMeanwhile(session, row) } : view
}

async function toHandle(session: Session, row: CommandRow): Promise<Pick<CommandView, 'keeps' | 'dismissible'>> {
  if (row.state !== 'not_applied' || !(await mayHandle(session, row))) return {}
  const keys = await keptKeys(await store(), row.id)
  const keeps = keys.map((key) => kindOf(row).describeLockConflict(key, paramsOf(row)).what).join('. ')
  return { ...(keys.length === 0 ? {} : { keeps }), dismissible: row.handled_at === null }
}

const mayHandle = async (session: Session, row: Pick<CommandRow, 'kind'>): Promise<boolean> =>
  kindNamed(row.kind) !== undefined && (await refusedBy(session, ruleOfChange(row).change)) === null
