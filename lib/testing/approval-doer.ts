import { executeCommand } from '#lib/commands/execute.ts'
import { readFactsNow } from '#lib/commands/policy/approval-view.ts'
import { askForApproval, decideApproval } from '#lib/commands/policy/approvals.ts'
import { draftCommand, withdrawCommand } from '#lib/commands/prepare.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Sent } from '#lib/service/client.ts'
import { Session } from '#lib/session/session.ts'
import { kindOrFail, serviceKindOrFail } from './command-run.ts'

/** Who does something, from which of their sessions: the second one signed in with a password. */
interface By {
  readonly userId: string
  readonly session: number
}

export interface DepositParams {
  readonly referenceId: string
  readonly bankReference: string
  readonly statementAmount: string
}

/** What one person does at a console. */
export type Doing =
  | (By & { readonly doing: 'draft'; readonly params: DepositParams })
  | (By & { readonly doing: 'ask' | 'withdraw' | 'send'; readonly id: string })
  | (By & { readonly doing: 'decide'; readonly id: string; readonly effect: string; readonly approves: boolean })

/** A draft's id and digest; whether something was taken as it was wanted. */
export type Done = { readonly id: string; readonly effect: string } | { readonly taken: boolean }

/** The service, in the place of what talks to it. */
export interface ScheduleService {
  readFacts(referenceId: string): Promise<Readonly<Record<string, string>>>
  send(params: DepositParams): Promise<'done' | 'lost'>
}

/** Puts it there, and lets everybody hold what confirming takes. Answers how to undo it. */
export function confirmAt(service: ScheduleService): () => void {
  const kind = serviceKindOrFail('deposit.confirm')
  const { readFacts, send, reconcile } = kind
  Object.assign(kind, {
    acknowledgedFacts: ['messages'],
    readFacts: async (_session: Session, { referenceId }: DepositParams) => ({
      ok: true,
      serviceTime: null,
      value: await service.readFacts(referenceId),
    }),
    send: async (_session: Session, params: DepositParams): Promise<Sent<unknown>> => {
      if ((await service.send(params)) === 'lost') return { kind: 'lost', why: 'as scripted' }
      const data = { referenceId: params.referenceId, state: 'PROCESSING', message: '', accepted: false }
      return { kind: 'answer', status: 200, data, problem: null, traceId: null, serviceTime: null }
    },
    reconcile: async () => ({ settled: false, showsNoEffect: true, shows: 'nothing' }),
  })
  const scopes = new Set(['core:transactions:confirm', 'core:transactions:read'])
  const known = { access: { roles: [], scopes }, until: Number.POSITIVE_INFINITY }
  putPerProcess('scopes', { get: () => known, set: () => undefined, has: () => true, delete: () => true })
  return () => {
    Object.assign(kind, { readFacts, send, reconcile, acknowledgedFacts: undefined })
    putPerProcess('scopes', undefined)
  }
}

function sessionOf({ userId, session }: By): Session {
  const facts = { id: `${userId} ${session}`, actor: `sso:${userId}`, displayName: userId, userId }
  const signedIn = { method: session === 0 ? 'sso' : 'password', admittedBy: 'claim', adminByClaim: false } as const
  const times = { endsAt: '2099-01-01T00:00:00.000Z', lastActiveAt: '2026-01-01T00:00:00.000Z' }
  return new Session({ ...facts, ...signedIn, ...times }, Buffer.alloc(32), { idHash: '', isReplaced: false })
}

/** Does it at the console of this process. */
export async function doHere(doing: Doing): Promise<Done> {
  const session = sessionOf(doing)
  switch (doing.doing) {
    case 'draft': {
      const reply = await draftCommand(session, kindOrFail('deposit.confirm'), doing.params)
      return reply.ok ? { id: reply.draft.id, effect: reply.draft.effect } : { taken: false }
    }
    case 'ask':
      return { taken: (await askForApproval(session, doing.id, { reason: 'x', proof: null })).ok }
    case 'withdraw':
      return { taken: (await withdrawCommand(session, doing.id)).ok }
    case 'decide': {
      const { id, effect, approves } = doing
      const now = await readFactsNow(session, id)
      const seen = approves && now?.ok ? { factsMark: now.changedFacts.mark } : {}
      const reply = await decideApproval(session, id, { approves, effect, reason: 'x', ...seen })
      return { taken: reply.ok && reply.notice === undefined }
    }
    case 'send': {
      const running: Promise<unknown>[] = []
      const send = (acknowledged: string | null) =>
        executeCommand(session, doing.id, { code: null, proof: null, acknowledged }, (it) => running.push(it))
      const reply = await send(null)
      const changedFacts =
        reply.ok && reply.command.outcome.class === 'approval' ? reply.command.outcome.changedFacts : undefined
      if (changedFacts !== undefined) await send(changedFacts.mark)
      await Promise.all(running)
      return { taken: true }
    }
  }
}
