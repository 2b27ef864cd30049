import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/domain/command.ts'
import { formatUtc } from '#lib/domain/time.ts'
import { endOf } from '#lib/domain/uuid.ts'
import { claimOf, putClaim } from '#lib/store/case-claims.ts'
import { store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import type { CommandKind, Keeping, Look, OwnAct } from './command-kind.ts'
import { type FieldFaults, faultsOf } from './field-faults.ts'

/** In small letters, as the console's own records have it. */
export const caseId = z.guid().toLowerCase()

/** Who has the case, as far as an act depends on it; empty where nobody has it. */
export type ClaimFacts = Readonly<Record<'holder' | 'holderName' | 'since', string>>

export const NOBODY: ClaimFacts = { holder: '', holderName: '', since: '' }

export async function claimFacts(id: string): Promise<ClaimFacts> {
  const claim = await claimOf(await store(), id)
  if (claim === null) return NOBODY
  const { holder, holderName, since } = claim
  return { holder, holderName, since }
}

export const claimLines = ({ holder, holderName, since }: ClaimFacts): Line[] =>
  holder === ''
    ? [{ label: 'With', value: 'nobody', as: 'text' }]
    : [
        { label: 'With', value: holderName, as: 'text' },
        { label: 'Since', value: since, as: 'time' },
      ]

export const caseLine = (id: string): Line => ({ label: 'Case', value: id, as: 'id' })

export const caseWords = (id: string): string => `case ${endOf(id)}`

/** Who has it instead of whom it was expected to be with, and since when. */
export const withWhom = ({ holder, holderName, since }: ClaimFacts): string =>
  holder === '' ? 'Nobody has this case' : `Taken by ${holderName} at ${formatUtc(since)}`

/** What is wrong when the case is not with whom the act says; empty when it is. */
export const unlessWith = (holder: string, facts: ClaimFacts): FieldFaults =>
  faultsOf({ caseId: facts.holder === holder ? null : `${withWhom(facts)}. Look at it again.` })

/**
 * Looks once more who has the case, when no other act can change it: whoever comes second learns who was first.
 * `holder`: with whom it has to be; empty for a free case.
 */
export async function ifStillWith(holder: string, id: string): Promise<OwnAct> {
  // A claim that cannot be read is not changed: nothing has left the console.
  const facts = await claimFacts(id).catch(() => null)
  if (facts === null) return { kind: 'own', refusal: STORE_OUT }
  if (facts.holder === holder) return { kind: 'own' }
  return { kind: 'own', refusal: { title: withWhom(facts), advice: 'Nothing was changed. Somebody else was faster.' } }
}

const STORE_OUT = {
  title: 'The console’s own store cannot be read',
  advice: 'Nothing was changed. Try again in a moment.',
} as const

/** From now on the case is with whoever acts. */
export const keepWithActor = (
  trx: Trx,
  { commandId, actor, actorName, params }: Keeping<{ readonly caseId: string }, unknown>,
): Promise<void> =>
  putClaim(
    trx,
    { caseId: params.caseId, holder: actor, holderName: actorName, since: new Date().toISOString() },
    commandId,
  )

/** Of all acts on the claim of one case, one is under way at a time, across processes. */
export const claimLock = (params: { readonly caseId: string }) => [
  { key: `case-claim:${params.caseId}`, forEver: false },
]

/**
 * What the console's own acts on a case have in common. Whatever they do is written in the transaction that settles them:
 * one whose process died has done nothing.
 */
export const ownCaseAct = {
  needsEnrolment: false,
  takesCode: false,
  target: (params: { readonly caseId: string }) => params.caseId,
  heldWords: () => ({ field: 'caseId', what: 'A change of who has this case is under way' }),
  /** Of the staff alone: parties hold the scope of reading as well. */
  lookScope: 'core:disputes:resolve',
  look: async (): Promise<Look> => ({
    settled: false,
    showsNoEffect: true,
    shows: 'The console’s own record does not have it.',
  }),
  checking: 'It is the console’s own record, and nothing went to the service.',
  unknownAdvice: 'Look at the case before you do it again.',
} as const satisfies Partial<CommandKind<{ readonly caseId: string }, ClaimFacts, unknown>>
