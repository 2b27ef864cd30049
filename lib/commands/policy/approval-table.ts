import 'server-only'
import canonicalize from 'canonicalize'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type ApprovalOutcome, type Outcome, refusedUnsent } from '#lib/commands/command.ts'
import { genuineBodies } from '#lib/commands/journal/chain.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { isOfClass } from '#lib/commands/search.ts'
import { config } from '#lib/config/config.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { countRows, databaseNow } from '#lib/store/transaction.ts'

export type Approval = Selectable<Tables['approval']>

export interface ApprovalRequest extends ApprovalNeed {
  readonly reason: string
  readonly askedAt: string
  readonly expiresAt: string
  /** By the database's clock. */
  readonly expired: boolean
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const WAITING_OF_AUTHOR_MAX = 20

/** Holds a lock on the author's waiting changes until the transaction ends. */
export async function hasRoomToWait(trx: Trx, actor: string): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`waiting approvals ${actor}`}, 0))`.execute(trx)
  const waiting = trx.selectFrom('command').where('actor', '=', actor).where('state', '=', 'awaiting_approval')
  return (await countRows(waiting)) < WAITING_OF_AUTHOR_MAX
}

const WAITING_MAX = 500

export async function insertRequest(trx: Trx, commandId: string, need: ApprovalNeed, reason: string): Promise<void> {
  const seconds = config().policy.approvalHours * 3600
  await trx
    .insertInto('approval_request')
    .values({
      command_id: commandId,
      asked_at: databaseNow,
      expires_at: sql<number>`${databaseNow} + ${seconds}`,
      reason,
      approvals: need.by,
      scopes: JSON.stringify(need.scopes),
      passkey: need.passkey,
      administers: need.administers,
    })
    .execute()
}

/** Call {@link isRequestGenuine} before you decide by it. */
export async function findRequest(db: Kysely<Tables>, commandId: string): Promise<ApprovalRequest | null> {
  const row = await db
    .selectFrom('approval_request')
    .selectAll()
    .select(sql<boolean>`expires_at <= ${databaseNow}`.as('expired'))
    .where('command_id', '=', commandId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { approvals: by, scopes, reason, expired, asked_at, expires_at, passkey, administers } = row
  const times = { askedAt: isoOf(asked_at), expiresAt: isoOf(expires_at) }
  return { by, scopes: JSON.parse(scopes) as Scope[], passkey, administers, reason, expired, ...times }
}

export const requestNote = ({ reason, by, scopes, passkey, administers, expiresAt }: ApprovalRequest) => ({
  asks: reason,
  approvalsNeeded: by,
  ...(scopes.length === 0 ? {} : { approversHold: scopes }),
  ...(passkey ? { approversPasskey: true } : {}),
  ...(administers ? { approversAdminister: true } : {}),
  expiresAt,
})

/** True if the request matches the genuine events. An earlier expiry passes. */
export async function isRequestGenuine(
  db: Kysely<Tables>,
  commandId: string,
  bodies: readonly Readonly<Record<string, unknown>>[],
): Promise<boolean> {
  const request = await findRequest(db, commandId)
  const event = bodies.find(({ asks }) => asks !== undefined)
  if (request === null || event === undefined) return request === null && event === undefined
  const { expiresAt, ...rest } = requestNote(request)
  const { asks, approvalsNeeded, approversHold, approversPasskey, approversAdminister } = event
  const recorded = { asks, approvalsNeeded, approversHold, approversPasskey, approversAdminister }
  return canonicalize(rest) === canonicalize(recorded) && expiresAt <= String(event.expiresAt)
}

export const insertApproval = (trx: Trx, approval: Omit<Approval, 'at'>) =>
  trx
    .insertInto('approval')
    .values({ ...approval, at: databaseNow })
    .execute()

/** All rows, oldest first; only {@link approvalsOnRecord} count. */
export const findApprovals = (db: Kysely<Tables>, commandId: string): Promise<Approval[]> =>
  db.selectFrom('approval').selectAll().where('command_id', '=', commandId).orderBy('at').orderBy('actor').execute()

/** Decisions with a genuine journal event, and with a passkey if required: an inserted row does not count. */
export async function approvalsOnRecord(
  db: Kysely<Tables>,
  commandId: string,
  { passkey }: Pick<ApprovalNeed, 'passkey'>,
): Promise<readonly Approval[]> {
  const approvals = await findApprovals(db, commandId)
  const genuine = (await genuineBodies(db, commandId)).filter(
    ({ decision, assertion }) => !passkey || decision !== 'approved' || assertion !== undefined,
  )
  return approvals.filter(({ approves, actor, effect }) => {
    const decision = approves ? 'approved' : 'declined'
    return genuine.some((body) => body.decision === decision && body.by === actor && body.effect === effect)
  })
}

/** Requires enough people other than the author, each for this exact effect, in time and with all scopes. */
export function isApproved(
  row: Pick<CommandRow, 'actor' | 'effect'>,
  need: ApprovalNeed,
  request: ApprovalRequest | null,
  approvals: readonly Approval[],
): boolean {
  if (request === null || request.expired || (need.administers && !request.administers)) return false
  if (!need.scopes.every((scope) => request.scopes.includes(scope))) return false
  if (approvals.some(({ approves }) => !approves)) return false
  const valid = approvals.filter(({ actor, effect }) => actor !== row.actor && effect === row.effect)
  return new Set(valid.map(({ actor }) => actor)).size >= need.by
}

export const findAwaiting = (db: Kysely<Tables>): Promise<CommandRow[]> =>
  db
    .selectFrom('command')
    .selectAll()
    .where('state', '=', 'awaiting_approval')
    .orderBy('created_at')
    .limit(WAITING_MAX)
    .execute()

export const findNotApproved = (db: Kysely<Tables>, actor: string, since: string): Promise<CommandRow[]> =>
  db
    .selectFrom('command')
    .innerJoin('approval_request', 'approval_request.command_id', 'command.id')
    .selectAll('command')
    .where('actor', '=', actor)
    .where('state', '=', 'closed')
    .where('settled_at', '>=', since)
    .where(({ not }) => not(isOfClass('cancelled')))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('expires_at', '<=', databaseNow),
        exists(
          selectFrom('approval')
            .select('approval.actor')
            .whereRef('approval.command_id', '=', 'command.id')
            .where('approves', '=', false),
        ),
      ]),
    )
    .orderBy('settled_at', 'desc')
    .limit(WAITING_MAX)
    .execute()

export const findExpired = (db: Kysely<Tables>): Promise<CommandRow[]> =>
  db
    .selectFrom('command')
    .innerJoin('approval_request', 'approval_request.command_id', 'command.id')
    .selectAll('command')
    .where('state', '=', 'awaiting_approval')
    .where('expires_at', '<=', databaseNow)
    .limit(WAITING_MAX)
    .execute()

export const approvalExpired: Outcome = refusedUnsent(
  'The approval has expired',
  'Nothing was sent. Start again if still needed.',
)

export const approvalOutcome = (request: ApprovalRequest, approvals: readonly Approval[]): ApprovalOutcome => ({
  class: 'approval',
  reason: request.reason,
  needed: request.by,
  approvedBy: approvals
    .filter(({ approves }) => approves)
    .map(({ actor_name: name, reason, at }) => ({ name, reason, at: new Date(at * 1000).toISOString() })),
  expiresAt: request.expiresAt,
})

/** Covers approvals only: sending applies the policy again. */
export async function approvalState(
  db: Kysely<Tables>,
  row: CommandRow,
): Promise<{ readonly ready: boolean; readonly ended: Outcome | null }> {
  const request = await findRequest(db, row.id)
  if (request === null || request.expired) return { ready: false, ended: approvalExpired }
  return { ready: isApproved(row, request, request, await approvalsOnRecord(db, row.id, request)), ended: null }
}
