import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import type { CommandState } from '#lib/commands/row.ts'
import { findCommand, insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { type Policy, readPolicy } from '#lib/config/policy.ts'
import { bankLock } from '#lib/deposits/deposit.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { store } from '#lib/store/store.ts'
import { tamper } from '#lib/testing/approval-world.ts'
import { dumpStore } from '#lib/testing/dump-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { judge } from './gate.ts'
import { rehearsePolicy, replay } from './rehearsal.ts'
import { rehearsalReport } from './rehearsal-report.ts'

const START = Date.parse('2026-11-01T08:00:00Z')

beforeEach(async () => {
  await freshConsole()
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const policyOf = (...rules: readonly unknown[]): Policy => {
  const policy = readPolicy(JSON.stringify({ rules }))
  if ('faults' in policy) throw new Error(policy.faults.join('\n'))
  return policy
}

interface Made {
  readonly kind?: CommandKindName
  readonly actor?: string
  readonly amount?: string | null
  readonly decision?: string
}

async function draft({ kind = 'deposit.confirm', actor = 'sso:1', amount = '100', decision }: Made, target: string) {
  const id = randomUUID()
  const params = { referenceId: target, bankReference: id, decision }
  const texts = { params: JSON.stringify(params), facts: JSON.stringify({ debit: amount }) }
  await insertDraft(await store(), { id, kind, actor, actorName: `Name of ${actor}`, target, ...texts })
  return id
}

const move = async (id: string, from: CommandState, to: CommandState) =>
  await moveCommand(await store(), id, { from: [from], to })

async function send(made: Made = {}, end: CommandState | null = 'done'): Promise<string> {
  const id = await draft(made, 'DEP~1')
  await move(id, 'draft', 'sent')
  if (end !== null) await move(id, 'sent', end)
  return id
}

async function pass(hours: number): Promise<void> {
  vi.setSystemTime(Date.now() + hours * 3_600_000)
  // The embedded database has no other clock than this process.
  if (config().databaseUrl.startsWith('postgres'))
    await tamper(sql`UPDATE command SET counted_at = counted_at - ${hours * 3_600}`)
}

const since = (days = 90): string => new Date(Date.now() - days * 86_400_000).toISOString()

const rehearse = async (policy: Policy, days = 90) =>
  await rehearsePolicy(await store(), policy, { since: since(days), page: 3 })

type Step =
  | { readonly act: 'send'; readonly made: Made; readonly end: CommandState }
  | { readonly act: 'again'; readonly at: number; readonly end: CommandState }
  | { readonly act: 'settle'; readonly at: number; readonly to: CommandState }
  | { readonly act: 'pass'; readonly hours: number }

const at = fc.nat({ max: 4 })
const actor = fc.constantFrom('sso:1', 'sso:1', 'sso:1', 'sso:2')
const made = fc.oneof(
  fc.record({
    kind: fc.constantFrom('deposit.confirm' as const, 'deposit.confirm' as const, 'card.issue' as const),
    actor,
    amount: fc.constantFrom('40', '100', '150.00000001', null),
  }),
  fc.record({
    kind: fc.constant('dispute.resolve' as const),
    actor,
    amount: fc.constantFrom('40', '100', '200'),
    decision: fc.constantFrom('refund', 'release'),
  }),
)
const end = fc.constantFrom<CommandState>('done', 'refused', 'unknown', 'challenged', 'challenged')
const history: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant('send' as const), made, end }) },
    { weight: 4, arbitrary: fc.record({ act: fc.constant('again' as const), at, end }) },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constant('settle' as const),
        at,
        to: fc.constantFrom<CommandState>('refused', 'applied', 'not_applied'),
      }),
    },
    // No sum of these is within a minute of 24 hours.
    { weight: 2, arbitrary: fc.record({ act: fc.constant('pass' as const), hours: fc.constantFrom(5, 13, 25) }) },
  ),
  { minLength: 15, maxLength: 30 },
)

const RULES = [
  { kind: 'deposit.confirm', limit: { sum: '300.00' } },
  { kind: 'deposit.confirm', when: { amountAtLeast: '100.00' }, approval: { by: 1 } },
  { kind: 'deposit.confirm', limit: { count: 2 }, approval: { by: 2, scope: 'core:cards:manage' } },
  { kind: 'dispute.resolve', when: { decision: 'release', amountAtLeast: '100.00' }, limit: { count: 2 } },
  { kind: 'dispute.resolve', when: { amountAtLeast: '200.00' }, passkey: true, approval: { by: 1, passkey: true } },
  { kind: 'card.issue', limit: { count: 2 }, approval: { by: 1 } },
] as const

interface Judged {
  readonly denied: boolean
  readonly need: ApprovalNeed | null
  readonly passkey: boolean
}

const asksNothing = ({ denied, need, passkey }: Judged): boolean => !denied && need === null && !passkey

/** Lives through the history. `decide` says whether the change goes out. */
async function live(steps: readonly Step[], decide: (id: string, target: string) => Promise<boolean>): Promise<void> {
  const ids: string[] = []
  const db = await store()
  for (const [number, step] of steps.entries()) {
    if (step.act === 'pass') {
      await pass(step.hours)
      continue
    }
    if (step.act === 'send') {
      const id = await draft(step.made, String(number))
      ids.push(id)
      if (!(await decide(id, String(number)))) await move(id, 'draft', 'closed')
      else if ((await move(id, 'draft', 'sent')) !== null) await move(id, 'sent', step.end)
      continue
    }
    const row = await findCommand(db, ids[ids.length - 1 - (step.at % Math.max(1, ids.length))] ?? '')
    if (row === undefined) continue
    if (step.act === 'settle') await move(row.id, 'unknown', step.to)
    else if (row.state === 'challenged') {
      if (!(await decide(row.id, row.target))) await move(row.id, 'challenged', 'refused')
      else if ((await move(row.id, 'challenged', 'sent')) !== null) await move(row.id, 'sent', step.end)
    }
  }
}

/** What the gate decides about each change, while all live under the policy. */
async function gateDecisions(steps: readonly Step[]): Promise<readonly string[]> {
  await freshConsole()
  vi.setSystemTime(START)
  underPolicy(...RULES)
  const decided: string[] = []
  const approvals = new Map<string, ApprovalNeed>()
  await live(steps, async (id, target) => {
    const db = await store()
    const row = await findCommand(db, id)
    if (row === undefined) throw new Error('a draft is gone')
    const judged = await inJournal(db, (trx) => judge(trx, row))
    const again = row.state === 'challenged'
    const given = approvals.get(id)
    const need = judged.stopped === null ? judged.need : null
    const isNew = need !== null && (given === undefined || given.by < need.by)
    if (need !== null && isNew) approvals.set(id, need)
    const passkey = judged.stopped === null && judged.passkey !== null && !again
    const judgement = { denied: judged.stopped !== null, need: isNew ? need : null, passkey }
    if (!asksNothing(judgement)) decided.push(JSON.stringify([target, judgement]))
    return judged.stopped === null && !(again && isNew)
  })
  return decided
}

async function rehearsedDecisions(steps: readonly Step[]): Promise<readonly string[]> {
  await freshConsole()
  vi.setSystemTime(START)
  await live(steps, async () => true)
  const decided: string[] = []
  const policy = policyOf(...RULES)
  for await (const decision of replay(await store(), policy, { since: since(), page: 7 })) {
    if (decision === 'not-genuine') throw new Error('an event that is not genuine')
    const { target, denied, need, passkey } = decision
    if (!asksNothing(decision)) decided.push(JSON.stringify([target, { denied, need, passkey }]))
  }
  const { kinds } = await rehearse(policy)
  const sum = (of: 'denied' | 'approvals' | 'passkeys') => kinds.reduce((count, kind) => count + kind[of], 0)
  const found = decided.map((text) => JSON.parse(text)[1] as Judged)
  expect(sum('denied')).toBe(found.filter(({ denied }) => denied).length)
  expect(sum('approvals')).toBe(found.filter(({ need }) => need !== null).length)
  expect(sum('passkeys')).toBe(found.filter(({ passkey }) => passkey).length)
  return decided
}

const deposit = (amount: string, end: CommandState): Step => ({ act: 'send', made: { amount }, end })

/** An approval that is missing only after the code ends a change, which then uses no limit. */
const NEEDED_AFTER_CODE: Step[] = [
  deposit('40', 'challenged'),
  deposit('40', 'done'),
  deposit('40', 'done'),
  { act: 'again', at: 2, end: 'done' },
  deposit('200', 'done'),
]

test('decides of random histories what the gate decides', async () => {
  let reached = 0
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const rehearsed = await rehearsedDecisions(steps)
      reached += rehearsed.length
      expect(rehearsed).toEqual(await gateDecisions(steps))
    }),
    { numRuns: 25, endOnFailure: true, examples: [[NEEDED_AFTER_CODE]] },
  )
  expect(reached).toBeGreaterThan(60)
})

describe('a rehearsal', () => {
  test('changes nothing in the store', async () => {
    await send()
    const before = await dumpStore()
    await rehearse(policyOf(...RULES))
    expect(await dumpStore()).toEqual(before)
  })

  test('counts limits from the day before it begins', async () => {
    await send({ amount: '200' })
    await pass(23)
    await send({ amount: '150' })
    await pass(11)
    const { sent, kinds } = await rehearse(policyOf({ kind: 'deposit.confirm', limit: { sum: '300.00' } }), 0.5)
    expect(sent).toBe(1)
    expect(kinds).toEqual([
      { kind: 'deposit.confirm', sent: 1, met: 1, denied: 1, approvals: 0, passkeys: 0, nobody: 0 },
    ])
  })

  test('knows references entered by hand, whatever the present policy asks', async () => {
    const id = await send()
    await send({ actor: 'sso:2' })
    const entered = { edit_id: id, actor: 'sso:3', reference: null, bank_key: bankLock(id) }
    await (await store()).insertInto('entered_reference').values(entered).execute()
    const rule = { kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } }
    expect((await rehearse(policyOf(rule))).unapprovable).toMatchObject([{ id }])
  })

  test('leaves out drafts and events without a valid MAC', async () => {
    await draft({}, 'DEP~2')
    const id = await send()
    await tamper(sql`UPDATE command_event SET actor = 'sso:9' WHERE command_id = ${id} AND state = 'sent'`)
    expect(await rehearse(policyOf(...RULES))).toMatchObject({ sent: 0, met: 0, notGenuine: 1 })
  })

  test('names people and changes that nobody could have approved', async () => {
    const id = await send({ amount: '100' })
    await send({ amount: '40', actor: 'sso:2' })
    const { people, unapprovable, met } = await rehearse(policyOf(RULES[1]))
    expect(met).toBe(1)
    expect(people).toEqual([
      {
        actor: 'sso:1',
        name: 'Name of sso:1',
        hasPasskey: false,
        sent: 1,
        met: 1,
        denied: 0,
        approvals: 1,
        passkeys: 0,
        nobody: 1,
      },
    ])
    expect(unapprovable).toMatchObject([{ id, target: 'DEP~1', shortage: { holders: 0, able: 0 } }])
  })

  test('is printed by kind, by person and by change', async () => {
    const id = await send({ amount: '1000' })
    await send({ kind: 'card.issue' })
    const rules = [RULES[1], { kind: 'deposit.confirm', passkey: true }]
    const text = await rehearsalReport(await store(), policyOf(...rules), { path: 'new.json', days: 7 })
    expect(text.split('\n').slice(1)).toEqual([
      '2 changes sent from 2026-10-25 08:00:00 UTC to 2026-11-01 08:00:00 UTC. The policy concerns 1 of them.',
      'A change over a limit counts as not sent. Approvals and passkeys count as given. People are judged by today’s scopes.',
      '',
      'By kind            sent  over a limit  need approval  need a passkey  nobody could approve',
      'Confirm a deposit     1             0              1               1                     1',
      '',
      'By person                              sent  over a limit  need approval  need a passkey  nobody could approve',
      'Name of sso:1 …sso:1 (has no passkey)     2             0              1               1                     1',
      '',
      'Nobody could have approved 1 change:',
      `2026-11-01 08:00:00 UTC  Confirm a deposit  DEP~1  Name of sso:1  ${id}`,
      '  Nobody who signed in within the last 30 days can approve this: nobody else has the scope.',
      '',
    ])
  })
})
