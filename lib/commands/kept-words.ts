import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import type { CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { keptKeys } from '#lib/store/kept-locks.ts'
import { store } from '#lib/store/store.ts'
import { ruleOfChange } from './change-sight.ts'
import { kindNamed } from './kinds.ts'
import { kindOf, paramsOf, viewOf } from './view.ts'

/** It takes the scope of the change itself, and a kind that is known here. */
const mayFree = async (session: Session, row: Pick<CommandRow, 'kind'>): Promise<boolean> =>
  kindNamed(row.kind) !== undefined && (await refusedBy(session, ruleOfChange(row).change)) === null

/** A command as a person sees it, with what it keeps taken although no effect showed. */
export async function withKept(session: Session, row: CommandRow): Promise<CommandView> {
  const view = viewOf(row)
  if (row.state !== 'not_applied' || !(await mayFree(session, row))) return view
  const keys = await keptKeys(await store(), row.id)
  if (keys.length === 0) return view
  return { ...view, keeps: keys.map((key) => kindOf(row).heldWords(key, paramsOf(row)).what).join('. ') }
}
