import 'server-only'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import {
  type ConsoleRefusal,
  type FieldFaults,
  faultsOf,
  type RecordAct,
  type RecordCommand,
} from '#lib/commands/kind.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { shortId } from '#lib/values/ids.ts'
import { timeInText } from '#lib/values/time.ts'
import { casePlace } from './workspace.ts'
import { claimOf, putClaim } from './workspace-tables.ts'

/** In lower case, as stored. */
export const caseId = z.guid().toLowerCase()

export type ClaimFacts = Readonly<Record<'holder' | 'holderName' | 'since', string>>

const NOBODY: ClaimFacts = { holder: '', holderName: '', since: '' }

export async function claimFacts(db: Kysely<Tables>, id: string): Promise<ClaimFacts> {
  const claim = await claimOf(db, id)
  if (claim === null) return NOBODY
  const { holder, holderName, since } = claim
  return { holder, holderName, since }
}

export const claimLines = ({ holder, holderName, since }: ClaimFacts): Line[] =>
  holder === ''
    ? [{ label: 'Assignee', value: 'none', as: 'text' }]
    : [
        { label: 'Assignee', value: holderName, as: 'text' },
        { label: 'Since', value: since, as: 'time' },
      ]

export const caseLine = (id: string): Line => ({ label: 'Case', value: id, as: 'id' })

export const caseWords = (id: string): string => `case ${shortId(id)}`

const assigneeWords = ({ holder, holderName, since }: ClaimFacts): string =>
  holder === '' ? 'This case is unassigned' : `Assigned to ${holderName} at ${timeInText(since)}`

export const unlessAssignedTo = (holder: string, facts: ClaimFacts): FieldFaults =>
  faultsOf({ caseId: facts.holder === holder ? null : `${assigneeWords(facts)}. Check it again.` })

/** Checks again under the lock. `holder`: the expected assignee; empty for unassigned. */
export async function unlessStillAssignedTo(holder: string, trx: Trx, id: string): Promise<ConsoleRefusal | null> {
  const facts = await claimFacts(trx, id)
  if (facts.holder === holder) return null
  return { title: assigneeWords(facts), advice: 'Nothing was changed. Someone else changed it first.' }
}

export const assignToActor = (
  trx: Trx,
  { commandId, actor, actorName, params }: RecordAct<{ readonly caseId: string }, unknown>,
): Promise<void> =>
  putClaim(
    trx,
    { caseId: params.caseId, holder: actor, holderName: actorName, since: new Date().toISOString() },
    commandId,
  )

export const claimLock = (params: { readonly caseId: string }) => [
  { key: `case-claim:${params.caseId}`, permanent: false },
]

export const caseRecord = {
  place: casePlace,
  target: (params: { readonly caseId: string }) => params.caseId,
  describeLockConflict: () => ({ field: 'caseId', what: 'The assignee is being changed' }),
  affectedBy: ['case.assign', 'case.reassign-to-me', 'case.reassign', 'case.unassign', 'dispute.resolve'],
} as const satisfies Partial<RecordCommand<{ readonly caseId: string }, ClaimFacts>>
