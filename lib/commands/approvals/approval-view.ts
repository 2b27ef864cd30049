import 'server-only'
import { canView } from '#lib/commands/access.ts'
import type { CommandView, Line } from '#lib/commands/command.ts'
import { type CommandRow, findCommand } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import { effectDigest } from '#lib/commands/policy/effect-digest.ts'
import { type Moved, readMoved } from '#lib/commands/policy/limits.ts'
import { areAsShown } from '#lib/commands/preflight.ts'
import { kindNamed } from '#lib/commands/registry.ts'
import { factsOf, paramsOf } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { type ApprovalRequest, findApprovals, findRequest } from './approval-table.ts'
import { whyNotDecide } from './may-decide.ts'

export interface ApprovalView {
  readonly command: CommandView
  readonly effect: string
  readonly request: ApprovalRequest
  readonly lines: readonly Line[]
  readonly consequence: string
  readonly facts: readonly Line[]
  readonly moved: readonly Moved[]
  readonly whyNot: string | null
}

/** Null if the person may not see the change; `not-asked` if no approval was requested. */
export async function readApproval(session: Session, id: string): Promise<ApprovalView | 'not-asked' | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || row.effect === null || !(await canView(session, row))) return null
  const [request, kind] = [await findRequest(db, id), kindNamed(row.kind)]
  if (request === null || kind === undefined) return 'not-asked'
  const [params, facts] = [paramsOf(row), factsOf(row)]
  return {
    command: viewFor(session, row),
    // Binds the decision to the displayed values, even if the row changes later.
    effect: effectDigest(row),
    request,
    lines: kind.summary(params, facts),
    consequence: kind.consequence(params, facts),
    facts: kind.factLines(facts),
    moved: await readMoved(db, row.actor),
    whyNot: await whyNotNow(session, row),
  }
}

async function whyNotNow(session: Session, row: CommandRow): Promise<string | null> {
  if (row.state !== 'awaiting_approval') return 'It does not wait for a decision any more.'
  const decided = await findApprovals(await store(), row.id)
  if (decided.some(({ actor }) => actor === session.actor)) return 'You have decided about it already.'
  return (await whyNotDecide(session, row))?.problem.title ?? null
}

export type FactsNow =
  | { readonly ok: true; readonly lines: readonly Line[]; readonly moved: boolean }
  | { readonly ok: false; readonly problem: Problem }

export async function readFactsNow(session: Session, id: string): Promise<FactsNow | null> {
  const row = await findCommand(await store(), id)
  const kind = row && kindNamed(row.kind)
  if (row === undefined || kind === undefined || !(await canView(session, row))) return null
  const facts = await kind.readFacts(session, paramsOf(row), row.actor)
  if (!facts.ok) return facts
  return { ok: true, lines: kind.factLines(facts.value), moved: !areAsShown(kind, row, facts.value) }
}
