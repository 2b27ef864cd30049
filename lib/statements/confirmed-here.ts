import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import { canView } from '#lib/commands/access.ts'
import { findEffective, findUndecided } from '#lib/commands/queries.ts'
import { type CommandRow, paramsOf } from '#lib/commands/row.ts'
import { actorWords } from '#lib/commands/view.ts'
import { log } from '#lib/config/log.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { LineAt } from './statement-view.ts'

export type ConfirmedHere =
  | {
      readonly kind: 'confirmed'
      readonly commandId: string
      readonly by: string
      readonly at: string
      readonly bankReference: string
      /** Null if there is none or the person may not read statements. */
      readonly line: LineAt | null
    }
  | { readonly kind: 'open' | 'no-effect'; readonly commandId: string }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'none' }
  | { readonly kind: 'not-known' }

const KIND = 'deposit.confirm'

export async function confirmedHere(session: Session, reference: string): Promise<ConfirmedHere> {
  try {
    const db = await store()
    const effective = await findEffective(db, KIND, reference)
    // References are case-sensitive.
    const row = effective?.target === reference ? effective : await findUndecided(db, KIND, reference)
    return row === undefined ? { kind: 'none' } : await toldOf(session, row)
  } catch (error) {
    log().error({ event: 'confirmed-here', error: error instanceof Error ? error.name : 'error' })
    return { kind: 'not-known' }
  }
}

async function toldOf(session: Session, row: CommandRow): Promise<ConfirmedHere> {
  if (!(await canView(session, row))) return { kind: 'hidden' }
  if (row.state === 'not_applied') return { kind: 'no-effect', commandId: row.id }
  if (row.state !== 'done' && row.state !== 'applied') return { kind: 'open', commandId: row.id }
  const { bankReference } = paramsOf(row) as { readonly bankReference: string }
  return {
    kind: 'confirmed',
    commandId: row.id,
    by: actorWords(session, row),
    at: row.sent_at ?? row.created_at,
    bankReference,
    line: (await permits(session, 'statements.read')) ? await lineOf(row.id) : null,
  }
}

async function lineOf(commandId: string): Promise<LineAt | null> {
  const found = await (await store())
    .selectFrom('statement_line')
    .innerJoin('statement', 'statement.id', 'statement_line.statement_id')
    .select(['statement.id as statementId', 'number', 'file_name as fileName'])
    .where('command_id', '=', commandId)
    .where('discarded_at', 'is', null)
    .executeTakeFirst()
  return found ?? null
}
