import 'server-only'
import type { Scope } from '#lib/contract/scopes.ts'
import { readAccess } from '#lib/core-api/scopes.ts'
import type { CommandKindName, CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { keptKeys } from '#lib/store/kept-locks.ts'
import { store } from '#lib/store/store.ts'
import { kindOf, paramsOf, viewOf } from './view.ts'

/** The scope of the change itself, for the kinds that hold something for ever. */
const scopes: Partial<Record<CommandKindName, Scope>> = { 'deposit.confirm': 'core:transactions:confirm' }

/** Whether a person may free what a change of this kind keeps: known scopes alone count. */
export async function mayFree(session: Session, { kind }: Pick<CommandRow, 'kind'>): Promise<boolean> {
  const scope = scopes[kind as CommandKindName]
  return scope !== undefined && (await readAccess(session)).scopes?.has(scope) === true
}

/** A command as a person sees it, with what it keeps taken although no effect showed. */
export async function withKept(session: Session, row: CommandRow): Promise<CommandView> {
  const view = viewOf(row)
  if (row.state !== 'not_applied' || !(await mayFree(session, row))) return view
  const keys = await keptKeys(await store(), row.id)
  if (keys.length === 0) return view
  return { ...view, keeps: keys.map((key) => kindOf(row).heldWords(key, paramsOf(row)).what).join('. ') }
}
