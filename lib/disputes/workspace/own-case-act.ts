import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import type { OwnAct, Reconciliation, RecordKind, Settlement } from '#lib/commands/kind.ts'
import { type FieldFaults, faultsOf } from '#lib/commands/kind.ts'
import { log } from '#lib/config/log.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { shortId } from '#lib/values/ids.ts'
import { timeInText } from '#lib/values/time.ts'
import { claimOf, putClaim } from './workspace-tables.ts'

/** In lower case, as stored. */
export const caseId = z.guid().toLowerCase()

export type ClaimFacts = Readonly<Record<'holder' | 'holderName' | 'since', string>>

const NOBODY: ClaimFacts = { holder: '', holderName: '', since: '' }

export async function claimFacts(id: string): Promise<ClaimFacts> {
  const claim = await claimOf(await store(), id)
  if (claim === null) return NOBODY
  const { holder, holderName, since } = claim
  return { holder, holderName, since }
}

export const claimLines = ({ holder, holderName, since }: ClaimFacts): Line[] =>
  holder === ''
    ? [{ label: 'Assignee', value: 'nobody', as: 'text' }]
    : [
        { label: 'Assignee', value: holderName, as: 'text' },
        { label: 'Since', value: since, as: 'time' },
      ]

export const caseLine = (id: string): Line => ({ label: 'Case', value: id, as: 'id' })

export const caseWords = (id: string): string => `case ${shortId(id)}`

const assigneeWords = ({ holder, holderName, since }: ClaimFacts): string =>
  holder === '' ? 'Nobody is assigned to this case' : `Assigned to ${holderName} at ${timeInText(since)}`

export const unlessAssignedTo = (holder: string, facts: ClaimFacts): FieldFaults =>
  faultsOf({ caseId: facts.holder === holder ? null : `${assigneeWords(facts)}. Look at it again.` })

/** Checks again under the lock. `holder`: the expected assignee; empty for unassigned. */
export async function ifStillAssignedTo(holder: string, id: string): Promise<OwnAct> {
  // Nothing was sent, so a claim that cannot be read is not changed.
  const facts = await claimFacts(id).catch((error: unknown) => {
    log().error({ event: 'own-case-act', error: error instanceof Error ? error.name : 'error' }, 'nothing was changed')
    return null
  })
  if (facts === null) return { kind: 'own', refusal: STORE_OUT }
  if (facts.holder === holder) return { kind: 'own' }
  return {
    kind: 'own',
    refusal: { title: assigneeWords(facts), advice: 'Nothing was changed. Somebody else was faster.' },
  }
}

const STORE_OUT = {
  title: 'The console’s own store cannot be read',
  advice: 'Nothing was changed. Try again in a moment.',
} as const

export const assignToActor = (
  trx: Trx,
  { commandId, actor, actorName, params }: Settlement<{ readonly caseId: string }, unknown>,
): Promise<void> =>
  putClaim(
    trx,
    { caseId: params.caseId, holder: actor, holderName: actorName, since: new Date().toISOString() },
    commandId,
  )

export const claimLock = (params: { readonly caseId: string }) => [
  { key: `case-claim:${params.caseId}`, permanent: false },
]

/** The effect is written in the settling transaction, so a process that dies leaves nothing half done. */
export const ownCaseAct = {
  needsEnrolment: false,
  takesCode: false,
  target: (params: { readonly caseId: string }) => params.caseId,
  describeLockConflict: () => ({ field: 'caseId', what: 'A change of the assignee is under way' }),
  movedBy: ['case.assign', 'case.reassign-to-me', 'case.reassign', 'case.unassign', 'dispute.resolve'],
  /** Parties also hold the scope to read. */
  reconcileScope: 'core:disputes:resolve',
  reconcile: async (): Promise<Reconciliation> => ({
    settled: false,
    showsNoEffect: true,
    shows: 'The console’s own record does not have it.',
  }),
  checking: 'It is the console’s own record, and nothing went to the service.',
  unknownAdvice: 'Look at the case before you do it again.',
} as const satisfies Partial<RecordKind<{ readonly caseId: string }, ClaimFacts>>
