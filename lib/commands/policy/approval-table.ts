import 'server-only'
import canonicalize from 'canonicalize'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type ApprovalOutcome, type Outcome, refusedUnsent } from '#lib/commands/command.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { isOfClass } from '#lib/commands/search.ts'
import { moveIn } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { genuineBodies } from '#lib/journal/event.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { countRows, databaseNow } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { needSentence } from './rule-words.ts'

export type Approval = Selectable<Tables['approval']>

export interface ApprovalRequest extends ApprovalNeed {
  readonly reason: string
  readonly askedAt: string
  readonly expiresAt: string
  /** By the database's clock. */
  readonly expired: boolean
}

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

export const WAITING_OF_AUTHOR_MAX = 20

/** Holds a lock on the author's waiting changes until the transaction ends. */
export async function hasRoomToWait(trx: Trx, actor: string): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`waiting approvals ${actor}`}, 0))`.execute(trx)
  const waiting = trx.selectFrom('command').where('actor', '=', actor).where('state', '=', 'awaiting_approval')
  return (await countRows(waiting)) < WAITING_OF_AUTHOR_MAX
}

export const WAITING_MAX = 500

/** `keys`: lock keys of its effect. */
export async function insertRequest(
  trx: Trx,
  commandId: string,
  need: ApprovalNeed,
  { reason, keys }: { readonly reason: string; readonly keys: readonly string[] },
): Promise<void> {
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
      reread: need.reread === true,
      keys: textArray(keys),
    })
    .execute()
}

export const textArray = (texts: readonly string[]) => sql<string[]>`ARRAY[${sql.join([...texts])}]::text[]`

/** Orders simultaneous requests for one effect until the transaction ends. */
export async function lockRequestKeys(trx: Trx, keys: readonly string[]): Promise<void> {
  for (const key of [...keys].sort()) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`request ${key}`}, 0))`.execute(trx)
  }
}

const requested = (db: Kysely<Tables>) =>
  db
    .selectFrom('command')
    .innerJoin('approval_request', 'approval_request.command_id', 'command.id')
    .selectAll('command')

export interface OpenRequest {
  readonly row: CommandRow
  readonly keys: readonly string[]
  readonly askedAt: string
}

/** A change that waits, or is approved and not sent, and shares a lock key. */
export const findOpenRequest = async (db: Kysely<Tables>, keys: readonly string[]): Promise<OpenRequest | null> =>
  (await findOpenRequests(db, keys))[0] ?? null

export async function findOpenRequests(db: Kysely<Tables>, keys: readonly string[]): Promise<readonly OpenRequest[]> {
  if (keys.length === 0) return []
  const rows = await requested(db)
    .select(['approval_request.keys', 'approval_request.asked_at'])
    .where('state', '=', 'awaiting_approval')
    .where(sql<boolean>`approval_request.keys && ${textArray(keys)}`)
    .orderBy('asked_at')
    .limit(WAITING_MAX)
    .execute()
  return rows.map(({ keys, asked_at, ...row }) => ({ row, keys, askedAt: isoOf(asked_at) }))
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
  const { approvals: by, scopes, reason, expired, asked_at, expires_at, passkey, administers, reread } = row
  const times = { askedAt: isoOf(asked_at), expiresAt: isoOf(expires_at) }
  return { by, scopes: JSON.parse(scopes) as Scope[], passkey, administers, reread, reason, expired, ...times }
}

export const requestNote = ({ reason, by, scopes, passkey, administers, reread, expiresAt }: ApprovalRequest) => ({
  asks: reason,
  approvalsNeeded: by,
  ...(scopes.length === 0 ? {} : { approversHold: scopes }),
  ...(passkey ? { approversPasskey: true } : {}),
  ...(administers ? { approversAdminister: true } : {}),
  ...(reread ? { approversReread: true } : {}),
  expiresAt,
})

/** True if the request matches the genuine events. An earlier expiry passes. */
export async function isRequestGenuine(
  db: Kysely<Tables>,
  commandId: string,
  bodies: readonly Readonly<Record<string, unknown>>[],
  mayExist: boolean,
): Promise<boolean> {
  const request = mayExist ? await findRequest(db, commandId) : null
  const event = bodies.find(({ asks }) => asks !== undefined)
  if (request === null || event === undefined) return request === null && event === undefined
  const { expiresAt, ...rest } = requestNote(request)
  const { asks, approvalsNeeded, approversHold, approversPasskey, approversAdminister, approversReread } = event
  const recorded = { asks, approvalsNeeded, approversHold, approversPasskey, approversAdminister, approversReread }
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
  if (request === null || request.expired) return false
  if ((need.administers && !request.administers) || (need.reread && !request.reread)) return false
  if (!need.scopes.every((scope) => request.scopes.includes(scope))) return false
  if (approvals.some(({ approves }) => !approves)) return false
  const valid = approvals.filter(({ actor, effect }) => actor !== row.actor && effect === row.effect)
  return new Set(valid.map(({ actor }) => actor)).size >= need.by
}

const awaiting = (db: Kysely<Tables>) =>
  db.selectFrom('command').where('state', '=', 'awaiting_approval').orderBy('created_at').limit(WAITING_MAX)

export const findAwaiting = (db: Kysely<Tables>): Promise<CommandRow[]> => awaiting(db).selectAll().execute()

export const findAwaitingIds = async (db: Kysely<Tables>): Promise<readonly string[]> =>
  (await awaiting(db).select('id').execute()).map(({ id }) => id)

/** By others, and not requested again. */
export const findEndedUnsent = (db: Kysely<Tables>, actor: string, since: string): Promise<CommandRow[]> =>
  requested(db)
    .where('actor', '=', actor)
    .where('state', '=', 'closed')
    .where('settled_at', '>=', since)
    .where('handled_at', 'is', null)
    .where(({ not }) => not(isOfClass('cancelled')))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('command as later')
            .innerJoin('approval_request as again', 'again.command_id', 'later.id')
            .select('later.id')
            .whereRef('later.actor', '=', 'command.actor')
            .whereRef('later.created_at', '>', 'command.created_at')
            .where(sql<boolean>`again.keys && approval_request.keys`),
        ),
      ),
    )
    .orderBy('settled_at', 'desc')
    .limit(WAITING_MAX)
    .execute()

export const findExpired = (db: Kysely<Tables>): Promise<CommandRow[]> =>
  requested(db)
    .where('state', '=', 'awaiting_approval')
    .where('expires_at', '<=', databaseNow)
    .limit(WAITING_MAX)
    .execute()

const EXPIRED = 'The approval has expired'

export const approvalExpired: Outcome = refusedUnsent(EXPIRED, 'Nothing was sent. Start again if still needed.')

export const HAS_EXPIRED = sql<boolean>`strpos(coalesce(command.outcome, ''), ${`"title":${JSON.stringify(EXPIRED)}`}) > 0`

export const approvalOutcome = (request: ApprovalRequest, approvals: readonly Approval[]): ApprovalOutcome => ({
  class: 'approval',
  reason: request.reason,
  needed: request.by,
  approvedBy: approvals
    .filter(({ approves }) => approves)
    .map(({ actor_name: name, reason, at }) => ({ name, reason, at: isoOf(at) })),
  expiresAt: request.expiresAt,
  askedAt: request.askedAt,
  need: needSentence(request),
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

/** Quotes in texts are escaped in JSON. */
export const asksToRead = ({ outcome }: Pick<CommandRow, 'outcome'>) => outcome?.includes('"rereadOf":"') ?? false

/** Asks the approvers to read the facts with this mark (null: unchanged), if none has. Returns whether it waits. */
export async function askForReread(
  db: Kysely<Tables>,
  { id, outcome: known }: Pick<CommandRow, 'id' | 'outcome'>,
  mark: string | null,
): Promise<boolean> {
  if (mark === null && !asksToRead({ outcome: known })) return false
  const request = await findRequest(db, id)
  if (!request?.reread) return false
  return await inJournal(db, async (trx) => {
    const row = await trx.selectFrom('command').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined) return false
    const approvals = await approvalsOnRecord(trx, id, request)
    if (!isApproved(row, request, request, approvals)) return false
    const bodies = await genuineBodies(trx, id)
    const isToBeRead = mark !== null && !bodies.some(({ seenFacts, by }) => seenFacts === mark && by !== row.actor)
    const approved = approvalOutcome(request, approvals)
    const outcome = JSON.stringify(isToBeRead ? { ...approved, rereadOf: mark } : approved)
    const isStored = isToBeRead ? outcome === row.outcome : !asksToRead(row)
    const state = 'awaiting_approval'
    if (isStored || row.state !== state) return isToBeRead
    await moveIn(trx, id, { from: [state], to: state, outcome, note: { asksToRead: isToBeRead } })
    return isToBeRead
  })
}

/** In the transaction that settles a change: requests for the same effect have nothing left to do. */
export async function endOpenRequests(trx: Trx, done: CommandRow, keys: readonly string[], title: string) {
  const outcome: Outcome = {
    ...refusedUnsent('Another change did this', `${done.actor_name} sent it: ${title}. Nothing was sent by this one.`),
    heldBy: done.id,
  }
  for (const { row } of await findOpenRequests(trx, keys)) {
    if (row.id === done.id) continue
    await moveIn(trx, row.id, {
      from: ['awaiting_approval'],
      to: 'closed',
      handled: row.actor === done.actor,
      outcome: JSON.stringify(outcome),
      note: { why: 'done elsewhere', doneBy: done.id },
    })
  }
}
