import 'server-only'
import { z } from 'zod'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type CommandKindName, settledAs } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { noteFault } from '#lib/values/text.ts'
import { canView } from './access.ts'
import type { Line } from './command.ts'
import type { RecordKind } from './command-kind.ts'
import { findCommand, moveIn } from './command-table.ts'
import { faultsOf } from './field-faults.ts'
import { isAltered } from './policy/policy-gate.ts'
import { judgedBy } from './policy/rules.ts'
import { kindNamed } from './registry.ts'
import { readBeforeSettling, verdictMove } from './settle-by-hand.ts'
import { factsOf, mayBeSettledByHand, paramsOf, viewOf, writeSettlement } from './view.ts'

const params = z.strictObject({ id: z.uuid(), happened: z.boolean(), why: z.string() })

type Params = z.output<typeof params>

/** All empty if the change does not wait for a person. */
type Facts = Readonly<Record<'title' | 'about' | 'by' | 'sentAt' | 'amount' | 'decision' | 'parties', string>>

const NONE: Facts = { title: '', about: '', by: '', sentAt: '', amount: '', decision: '', parties: '' }

async function factsNow(session: Session, kind: CommandKindName, id: string): Promise<Facts | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || settledAs(row.kind) !== kind || !(await canView(session, row))) return NONE
  if (!mayBeSettledByHand(row)) return NONE
  if (await isAltered(db, row)) return null
  const { amount, decision } = judgedBy(row)
  const parties = kindNamed(row.kind)?.parties?.(paramsOf(row), factsOf(row)) ?? []
  return {
    title: viewOf(row).title,
    about: row.target,
    by: row.actor_name,
    sentAt: row.sent_at ?? '',
    amount: amount ?? '',
    decision: decision ?? '',
    parties: parties.join(' '),
  }
}

const factLines = ({ title, about, by, sentAt }: Facts): Line[] => [
  { label: 'Change', value: title === '' ? 'waits for nobody' : title, as: 'text' },
  { label: 'About', value: about, as: 'mono' },
  { label: 'Sent by', value: by, as: 'text' },
  { label: 'Sent', value: sentAt, as: 'time' },
]

/** Settling is a separate change, so that policy rules apply to it. A read of the service overrides the person. */
export const settleKind = (kind: CommandKindName): RecordKind<Params, Facts> => ({
  kind,
  params,
  immediate: false,
  needsEnrolment: false,
  takesCode: false,
  checkParams: ({ why }) => faultsOf({ why: noteFault(why, 'Say how you know, for example who told you.') }),
  async readFacts(session, { id }) {
    const value = await factsNow(session, kind, id)
    return value === null ? { ok: false, problem: ALTERED } : { ok: true, value, serviceTime: null }
  },
  checkFacts: (_params, { title }) => faultsOf({ id: title === '' ? 'It does not wait for a person any more.' : null }),
  judgedBy: (_params, { amount, decision }) => ({
    amount,
    ...(decision === 'refund' || decision === 'release' ? { decision } : {}),
  }),
  parties: (_params, facts) => facts.parties.split(' '),
  target: ({ id }) => id,
  locks: ({ id }) => [{ key: `settle:${id}`, forEver: false }],
  describeLockConflict: () => ({ field: 'id', what: 'Somebody is settling it' }),
  title: ({ happened }, { title }) => `Record that it ${happened ? 'happened' : 'did not happen'}: ${title}`,
  button: ({ happened }) => (happened ? 'It happened' : 'It did not happen'),
  summary: ({ happened, why }, facts) => [
    ...factLines(facts),
    { label: 'What came of it', value: happened ? 'it happened' : 'it did not happen', as: 'text' },
    { label: 'How it is known', value: why, as: 'text' },
  ],
  factLines,
  consequence: ({ happened }) =>
    happened
      ? 'It is recorded as done, by your word.'
      : 'It is recorded as not done, by your word, and can be done anew: if it took effect after all, it has effect twice.',
  async send(session, { id, ...verdict }) {
    const row = await findCommand(await store(), id)
    if (row === undefined || !mayBeSettledByHand(row)) return { kind: 'own', refusal: GONE }
    const { against } = await readBeforeSettling(session, row, verdict)
    return against === null ? { kind: 'own' } : { kind: 'own', refusal: { title: NOT_RECORDED, advice: against } }
  },
  describeSuccess: (_params, facts) => ({ steps: [], lines: factLines(facts) }),
  async onSettled(trx, { actor, actorName, params: { id, ...verdict } }) {
    const row = await findCommand(trx, id)
    if (row === undefined || !mayBeSettledByHand(row)) return
    await moveIn(trx, id, verdictMove(row, { actor, displayName: actorName }, verdict))
    if (verdict.happened) await writeSettlement(trx, row, null)
  },
  reconcileScope: 'own',
  reconcile: async () => ({
    settled: false,
    showsNoEffect: true,
    shows: 'The console’s own record does not have it.',
  }),
  checking: 'It is the console’s own record, and nothing went to the service.',
  unknownAdvice: 'Look at the change itself before you do it again.',
})

const ALTERED = problemOf('service', {
  status: 409,
  title: 'This change was altered in the store. Tell the people who run this console.',
})
const NOT_RECORDED = 'It was not recorded by hand'
const GONE = { title: NOT_RECORDED, advice: 'It does not wait for a person any more.' }
