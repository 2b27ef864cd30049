import 'server-only'
import type { DraftView, Line } from '#lib/commands/command.ts'
import { commandNamed } from '#lib/commands/kind.ts'
import { factsOf } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftLine, unbind } from './confirm-line.ts'
import { viewOfLine } from './line-view.ts'
import { findLine, type ShownLine } from './shown-line.ts'
import type { LineView } from './statement-view.ts'

export type LineToConfirm =
  | {
      readonly ok: true
      readonly draft: DraftView
      /** Read from the service now. */
      readonly facts: readonly Line[]
      readonly line: LineView
    }
  | { readonly ok: false; readonly why: string }

/**
 * Drafts the confirmation of a line that a run skips, because an operator edited it or it needs an approval. An edit of
 * the line withdraws the draft.
 */
export async function draftByHand(session: Session, statementId: string, number: number): Promise<LineToConfirm> {
  const line = await freeLine(statementId, number)
  if (line === undefined) return { ok: false, why: 'There is no such line.' }
  if (line.status !== 'by-hand' && line.status !== 'ready') {
    return { ok: false, why: 'This line does not wait for a confirmation of its own. Look at it again.' }
  }
  const drafted = await draftLine(session, line)
  if (!drafted.ok) return { ok: false, why: drafted.why }
  const row = await findCommand(await store(), drafted.draft.id)
  if (row === undefined) throw new Error('a draft was made and is gone')
  const facts = commandNamed(row.kind)?.factLines(factsOf(row)) ?? []
  return { ok: true, draft: drafted.draft, facts, line: viewOfLine(line) }
}

/** The latest operator to open the line takes over another's open draft. */
async function freeLine(statementId: string, number: number): Promise<ShownLine | undefined> {
  const line = await findLine(await store(), statementId, number)
  if (line?.command_state !== 'draft' || line.command_id === null) return line
  await unbind({ statementId, number }, line.command_id)
  return await findLine(await store(), statementId, number)
}
