import 'server-only'
import { z } from 'zod'
import type { Line } from '#lib/commands/command.ts'
import {
  type Agreement,
  compareFields,
  type Description,
  equals,
  type FieldFaults,
  type Reconciliation,
  serviceCommand,
} from '#lib/commands/kind.ts'
import { classify } from '#lib/commands/outcome.ts'
import { confirmDigits, deleteDigits, saveDigits } from '#lib/commands/step-up.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { TotpEnrolment } from '#lib/contract/security.ts'
import type { Result } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { confirmTotp, enrolTotp, readTotpStatus, removeTotp } from '#lib/service/security.ts'
import { dropGrantsOf, type Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { timeInText } from '#lib/values/time.ts'
import { totpKeyOf } from './totp-key.ts'

const params = z.strictObject({})

type Params = z.output<typeof params>

type TotpFacts = Readonly<Record<'enrolled' | 'enrolledAt', string>>

async function readFacts(session: Session): Promise<Result<TotpFacts>> {
  const status = await readTotpStatus(session)
  if (!status.ok) return status
  const { enrolled, enrolledAt } = status.value
  return { ...status, value: { enrolled: enrolled ? 'yes' : 'no', enrolledAt: enrolledAt ?? '' } }
}

const stateLine = (value: string): Line => ({ label: 'Two-factor security', value, as: 'text' })

const inState = (state: string): Description => ({ steps: [], lines: [stateLine(state)] })

const factLines = ({ enrolled, enrolledAt }: TotpFacts): Line[] => [
  stateLine(enrolled === 'yes' ? 'On' : 'Not set up'),
  ...(enrolledAt === '' ? [] : [{ label: 'Since', value: enrolledAt, as: 'time' } as const]),
]

/** The service would refuse a second enrolment with the same words. */
const onlyIfNotEnrolled = (_params: Params, { enrolled }: TotpFacts): FieldFaults => {
  if (enrolled === 'no') return {}
  const { title, advice } = problemWords(ALREADY_ENROLLED, 'change')
  return { totp: `${title}. ${advice}` }
}

const ALREADY_ENROLLED = problemOf('service', { status: 409, code: 'core::gatekeeper::totp::already_enrolled' })

const compareEnrolment =
  (enrolled: boolean) =>
  ({ data }: { readonly data: unknown }): Agreement =>
    compareFields(data, { enrolled: equals(enrolled) }, ['enrolled'])

const reconcileFactor =
  (enrolled: boolean) =>
  async (session: Session): Promise<Reconciliation | Problem> => {
    const status = await readTotpStatus(session)
    if (!status.ok) return status.problem
    const { enrolledAt } = status.value
    const since = enrolledAt === null ? '' : ` since ${timeInText(enrolledAt)}`
    const shows = `Two-factor security is ${status.value.enrolled ? `on${since}` : 'not set up'}.`
    if (status.value.enrolled !== enrolled) return { settled: false, showsNoEffect: true, shows }
    return { settled: true, shows, description: inState(enrolled ? 'On' : 'Removed') }
  }

/** The code is the proof; a repeat does no harm, so no lock. Only the person may see the outcome. */
const ownTotp = {
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

/** `POST Security/totp/enrol`: only this answer has the key; the next key replaces a lost one. */
export const totpEnrol = serviceCommand<object, TotpFacts, TotpEnrolment>({
  ...ownTotp,
  kind: 'totp.enrol',
  checkFacts: onlyIfNotEnrolled,
  title: () => 'Set up two-factor security',
  doneTitle: () => 'Two-factor security set up',
  consequence: () => 'A key is created and shown once. A code activates it.',
  send: (session) => enrolTotp(session),
  compareAnswer: ({ data: { url } }) => (isProvisioningUri(url) ? 'agrees' : 'contradicts'),
  describeSuccess: () => inState('Waiting for its first code'),
  async onSettled(trx, { actor, data }) {
    // The answer was lost, so the previous key stays in use.
    if (data === null) return
    const digits = totpKeyOf(data.url)?.digits ?? null
    await (digits === null ? deleteDigits(trx, actor) : saveDigits(trx, actor, digits))
  },
  once: ({ url, barcode }) => ({ what: 'totp-key', url, barcode }),
  /** No read shows whether the service created a key. */
  hasHiddenEffect: true,
  reconcile: reconcileFactor(true),
  unknownAdvice: 'You can start again: a new key replaces this one.',
})

const isProvisioningUri = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'otpauth:'

/** `POST Security/totp/enrol/confirm`: turns two-factor security on. */
export const totpConfirm = serviceCommand<object, TotpFacts, unknown>({
  ...ownTotp,
  kind: 'totp.confirm',
  takesCode: true,
  checkFacts: onlyIfNotEnrolled,
  title: () => 'Turn on two-factor security',
  doneTitle: () => 'Two-factor security turned on',
  consequence: () => 'Sensitive changes then need a code.',
  send: (session, _params, code) => confirmTotp(session, code),
  compareAnswer: compareEnrolment(true),
  describeSuccess: () => inState('On'),
  /** From now on the stored digit count belongs to the key in use. */
  async describeFurther(session) {
    const status = await readTotpStatus(session)
    const enrolledAt = status.ok && status.value.enrolled ? status.value.enrolledAt : null
    if (enrolledAt !== null) await confirmDigits(await store(), session.actor, enrolledAt)
    return null
  },
  reconcile: reconcileFactor(true),
  unknownAdvice: 'You can send the next code: repeating this is safe.',
})

/** `DELETE Security/totp`: requires a current code. */
export const totpRemove = serviceCommand<object, TotpFacts, unknown>({
  ...ownTotp,
  kind: 'totp.remove',
  takesCode: true,
  checkFacts: (_params, { enrolled }): FieldFaults =>
    enrolled === 'yes' ? {} : { totp: 'Two-factor security is not set up, so there is nothing to remove.' },
  title: () => 'Remove two-factor security',
  doneTitle: () => 'Two-factor security removed',
  consequence: () => 'You have no second factor until you set it up again.',
  async send(session, _params, code) {
    const sent = await removeTotp(session, code)
    const isRefused = sent.kind === 'answer' && classify(sent) === 'refused'
    // A grant by the removed factor must end with it.
    if (sent.kind === 'lost' || (sent.kind === 'answer' && !isRefused)) dropGrantsOf(session.actor)
    return sent
  },
  onSettled: async (_trx, { actor }) => dropGrantsOf(actor),
  compareAnswer: compareEnrolment(false),
  describeSuccess: () => inState('Removed'),
  reconcile: reconcileFactor(false),
  unknownAdvice: 'You can send the next code: repeating this is safe.',
})
