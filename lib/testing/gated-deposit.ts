import { randomUUID } from 'node:crypto'
import type { CommandReply } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { kindNamed } from '#lib/commands/kind.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import type { StepUp } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { ok, refused, type Scripted, type ScriptedService } from './scripted-service.ts'

export const STATUS = 'GET /api/v1/Security/totp'
export const VERIFY = 'POST /api/v1/Security/totp/verify'
export const CONFIRM = 'POST /api/v1/Transaction/deposit/confirm'

export const REQUIRED = refused(403, 'core::gatekeeper::required')
export const ENROL_REQUIRED = refused(403, 'core::gatekeeper::enrol::required')
export const GRANT_INVALID = refused(503, 'core::gatekeeper::grant::invalid')
export const CODE_INVALID = refused(400, 'core::gatekeeper::code::invalid')

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

export const ENROLLED = ok({ enrolled: true, enrolledAt: '2026-01-01T00:00:00.0000000Z', lockedUntil: null })
export const NOT_ENROLLED = ok({ enrolled: false, enrolledAt: null, lockedUntil: null })
export const locked = () =>
  ok({ enrolled: true, enrolledAt: '2026-01-01T00:00:00.0000000Z', lockedUntil: inMinutes(5) })
export const granted = (token: string) => ok({ token, expiresAt: inMinutes(5) })
export const CONFIRMED: Scripted = {
  status: 200,
  body: ({ referenceId }: { readonly referenceId: string }) => ({
    data: { referenceId, state: 'PROCESSING', message: '', accepted: false },
  }),
}

/** A deposit that waits, as the service tells of it. */
export interface Deposit {
  readonly referenceId: string
  /** What reads it. */
  readonly read: string
  in(state: string, change?: { readonly transactionType: string }): ReturnType<typeof ok>
}

export function newDeposit(): Deposit {
  const referenceId = `DEP~${randomUUID()}`
  return {
    referenceId,
    read: `GET /api/v1/Transaction/${referenceId}`,
    in: (state, change) =>
      ok({
        transactionId: randomUUID(),
        referenceId,
        fromAccountId: randomUUID(),
        toAccountId: '00000000-0000-4000-8000-000000000011',
        credit: '250.00000000',
        debit: '250.00000000',
        transactionType: 'DEPOSIT',
        state,
        createdAt: '2026-11-20T10:00:00.0000000Z',
        ...change,
      }),
  }
}

/** A service at which everything goes well for somebody who is enrolled. */
export function scriptGoodDay(service: ScriptedService, deposit: Deposit): void {
  service.on(STATUS, ENROLLED)
  service.on(VERIFY, granted('grant-1'))
  service.on(CONFIRM, CONFIRMED)
  service.on(deposit.read, deposit.in('QUEUED'))
}

/**
 * Makes confirming a deposit an act like those that the interface gates, since the console's rules for these are the same
 * for every kind. `never` and `false` are what it is.
 */
export function gateConfirming(stepUp: StepUp, needsEnrolment: boolean): void {
  Object.assign(endpoints.transactions.confirmDeposit, { stepUp })
  Object.assign(kindNamed('deposit.confirm') ?? {}, { needsEnrolment })
}

/** Drafts a change; answers its id. */
export async function draftForTest(session: Session, name: CommandKindName, params: unknown): Promise<string> {
  const kind = kindNamed(name)
  if (kind === undefined) throw new Error(`there is no kind ${name}`)
  const reply = await draftCommand(session, kind, params)
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply.draft.id
}

export const draftConfirmation = (session: Session, { referenceId }: Deposit): Promise<string> =>
  draftForTest(session, 'deposit.confirm', { referenceId, bankReference: randomUUID(), statementAmount: '250' })

/** What the browser does: executes, with a code or without. */
export async function executeForTest(
  session: Session,
  id: string,
  code: string | null = null,
): Promise<Extract<CommandReply, { ok: true }>> {
  const reply = await executeCommand(session, id, { code, proof: null }, () => {})
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply
}
