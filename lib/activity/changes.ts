import 'server-only'
import { kindsSeenOfOthers } from '#lib/commands/access.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { findPage } from '#lib/commands/command-pages.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { ChangeList } from './change-lists.ts'
import { dayAgo } from './open-changes.ts'

export interface ChangesPage {
  readonly commands: readonly CommandView[]
  /** On all pages. */
  readonly total: number
}

/** One page of a list of changes, as far as a person sees them. */
export async function changesPage(
  session: Session,
  list: ChangeList,
  page: { readonly page: number; readonly size: number },
): Promise<ChangesPage> {
  const { actor } = session
  const kinds = list === 'mine' ? [] : await kindsSeenOfOthers(session)
  const found = await findPage(await store(), { list, actor, kinds, since: dayAgo() }, page)
  return { commands: found.commands.map((row) => viewFor(session, row)), total: found.total }
}
