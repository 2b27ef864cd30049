import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import { type Agreement, compareFields, equals, type FieldFaults, type Reconciliation } from '#lib/commands/kind.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Result } from '#lib/service/answer.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import type { Session } from '#lib/session/session.ts'
import { timeInText } from '#lib/values/time.ts'

const params = z.strictObject({})

type Params = z.output<typeof params>

export type TotpFacts = Readonly<Record<'enrolled' | 'enrolledAt', string>>

async function readFacts(session: Session): Promise<Result<TotpFacts>> {
  const status = await readTotpStatus(session)
  if (!status.ok) return status
  const { enrolled, enrolledAt } = status.value
  return { ...status, value: { enrolled: enrolled ? 'yes' : 'no', enrolledAt: enrolledAt ?? '' } }
}

export const stateLine = (value: string): Line => ({ label: 'Two-factor security', value, as: 'text' })

const factLines = ({ enrolled, enrolledAt }: TotpFacts): Line[] => [
  stateLine(enrolled === 'yes' ? 'On' : 'Not set up'),
  ...(enrolledAt === '' ? [] : [{ label: 'Since', value: enrolledAt, as: 'time' } as const]),
]

/** The service would refuse a second enrolment with the same words. */
export const onlyIfNotEnrolled = (_params: Params, { enrolled }: TotpFacts): FieldFaults => {
  if (enrolled === 'no') return {}
  const { title, advice } = problemWords(ALREADY_ENROLLED, 'change')
  return { totp: `${title}. ${advice}` }
}

const ALREADY_ENROLLED = problemOf('service', { status: 409, code: 'core::gatekeeper::totp::already_enrolled' })

export const compareEnrolment =
  (enrolled: boolean) =>
  ({ data }: { readonly data: unknown }): Agreement =>
    compareFields(data, { enrolled: equals(enrolled) }, ['enrolled'])

export const reconcileFactor =
  (enrolled: boolean) =>
  async (session: Session): Promise<Reconciliation | Problem> => {
    const status = await readTotpStatus(session)
    if (!status.ok) return status.problem
    const { enrolledAt } = status.value
    const since = enrolledAt === null ? '' : ` since ${timeInText(enrolledAt)}`
    const shows = `Two-factor security is ${status.value.enrolled ? `on${since}` : 'not set up'}.`
    if (status.value.enrolled !== enrolled) return { settled: false, showsNoEffect: true, shows }
    return { settled: true, shows, description: { lines: [stateLine(enrolled ? 'On' : 'Removed')], steps: [] } }
  }

/**
 * The code is the proof, so there is no confirmation; a repeat does no harm, so there is no lock. Only the person may
 * see the outcome.
 */
export const ownTotp = {
  params,
  immediate: true,
  readFacts,
  target: (_params: Params, { actor }: Session) => actor,
  locks: () => [],
  describeLockConflict: () => ({ field: 'totp', what: 'Your two-factor security is already being changed' }),
  summary: (_params: Params, facts: TotpFacts) => factLines(facts),
  factLines,
  affectedBy: ['totp.confirm', 'totp.remove'],
  reconcileScope: 'own',
  checking: 'Checking your two-factor security.',
} as const
