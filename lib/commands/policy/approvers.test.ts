import { sql } from 'kysely'
import { beforeEach, describe, expect } from 'vitest'
import { changes } from '#lib/authorization/table.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import { findCommand } from '#lib/commands/store.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { writeAudit } from '#lib/session/audit-trail.ts'
import { store } from '#lib/store/store.ts'
import { draftDeposit, enterReference } from '#lib/testing/approval-world.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { type Approval, isApproved } from './approval-table.ts'
import { askForApproval } from './approvals.ts'
import { shortageOf, shortageWords } from './approvers.ts'
import { unsatisfiableRules } from './approvers-of-rules.ts'
import { policyOfDraft } from './gate.ts'
import { type KnownPerson, readKnownPeople, recordKnownPerson } from './known-people.ts'

const CONFIRM = 'core:transactions:confirm'
const ONE = { by: 1, scopes: [], passkey: false, administers: false }

const test = serviceTest
  .extend('environment', { STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve' })
  .extend('shortagesOf', ({ service, operator }) => async (): Promise<readonly (string | null | undefined)[]> => {
    const { id } = await draftDeposit(service, operator, '600')
    const draft = await findCommand(await store(), id)
    const preview = draft && (await policyOfDraft(await store(), draft))
    const reply = await askForApproval(operator, id, { reason: 'On the statement of today', proof: null })
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'approval' } } })
    return [preview?.approval?.shortage, reply.ok ? reply.notice : '']
  })

const person = (end: string, { hasPasskey = false, scopes = [CONFIRM] as Scope[], administers = false } = {}) =>
  ({ actor: `sso:${userIdOf(end)}`, name: end, scopes: new Set(scopes), administers, hasPasskey }) satisfies KnownPerson

interface Case {
  readonly people?: readonly KnownPerson[]
  readonly unread?: readonly string[]
  readonly need?: Partial<ApprovalNeed>
  readonly barred?: readonly string[]
}

function wordsFor({ people = [], unread = [], need = {}, barred = [] }: Case): string | null {
  const excluded = { author: `sso:${userIdOf('1')}`, barred }
  const shortage = shortageOf({ people, unread }, changes['deposit.confirm'], { ...ONE, ...need }, excluded)
  return shortage && shortageWords(shortage)
}

const NOBODY = 'Nobody who signed in within the last 30 days can approve this: '

describe('a shortage of approvers', () => {
  test.each<[string, Case, string | null]>([
    ['one other person is enough', { people: [person('1'), person('2')] }, null],
    ['the author is no approver', { people: [person('1')] }, `${NOBODY}nobody else has the scope.`],
    [
      'nobody has a passkey',
      { people: [person('2'), person('3')], need: { passkey: true } },
      `${NOBODY}2 other people with the scope, none has a passkey.`,
    ],
    [
      'too few have a passkey',
      { people: [person('2', { hasPasskey: true }), person('3')], need: { by: 2, passkey: true } },
      'Only 1 person of 2 needed who signed in within the last 30 days can approve this: 2 other people with the scope, only 1 has a passkey.',
    ],
    [
      'the others are parties or entered data, by ids in any case',
      { people: [person('2'), person('a')], barred: [`sso:${userIdOf('2')}`, `sso:${userIdOf('A')}`] },
      `${NOBODY}2 other people with the scope, 2 are parties or entered its data.`,
    ],
    [
      'the scope of the rule is missing',
      { people: [person('2')], need: { scopes: ['core:cards:manage'] } },
      `${NOBODY}nobody else has the scopes.`,
    ],
    [
      'nobody administers',
      { people: [person('2')], need: { administers: true } },
      `${NOBODY}nobody else has administrator rights.`,
    ],
    ['scopes of somebody are not known', { unread: [`sso:${userIdOf('2')}`] }, null],
    ['only the author’s are not', { unread: [`sso:${userIdOf('1')}`] }, `${NOBODY}nobody else has the scope.`],
  ])('%s', (_what, one, words) => {
    expect(wordsFor(one)).toBe(words)
  })
})

describe('rules that too few people can satisfy', () => {
  const RULE = { kind: 'deposit.confirm', when: { amountAtLeast: '5000.00' } }

  async function faultsOf(people: readonly KnownPerson[], rule: object): Promise<readonly string[]> {
    await freshConsole()
    const db = await store()
    const known_at = new Date().toISOString()
    for (const { actor, scopes, administers, hasPasskey } of people) {
      const row = { actor, scopes: JSON.stringify([...scopes]), administers, known_at }
      await db.insertInto('known_person').values(row).execute()
      const passkey = { ...{ id: actor, actor, slot: 1, name: 'Key', public_key: '', counter: 0, transports: '[]' } }
      const rest = { aaguid: '', synced: false, backed_up: false, created_at: known_at, last_used_at: null }
      if (hasPasskey)
        await db
          .insertInto('passkey')
          .values({ ...passkey, ...rest })
          .execute()
    }
    return await unsatisfiableRules(db, underPolicy({ kind: 'card.issue', limit: { count: 9 } }, rule).rules)
  }

  const NAME = 'rule 2 (deposit.confirm from 5,000.00 BZD): '
  const OWN = ', because nobody approves their own change.'
  const BY_SUPERVISORS = { by: 2, scope: 'core:cards:manage' }
  const supervisors = ['6', '7'].map((end) => person(end, { scopes: [CONFIRM, 'core:cards:manage'] }))
  const [bare, withKey] = [person('2'), person('3', { hasPasskey: true })]

  test.each<[string, readonly KnownPerson[], object, string | null]>([
    ['enough people', [bare, withKey], { approval: {} }, null],
    ['nobody', [], { approval: {} }, 'nobody with the scope signed in within the last 30 days; 1 is needed.'],
    [
      'one person',
      [bare],
      { approval: {} },
      `only 1 person with the scope signed in within the last 30 days; 2 are needed${OWN}`,
    ],
    ['two supervisors for the others', [bare, ...supervisors], { approval: BY_SUPERVISORS }, null],
    [
      'two supervisors alone',
      supervisors,
      { approval: BY_SUPERVISORS },
      `only 2 people with the scopes signed in within the last 30 days; 3 are needed${OWN}`,
    ],
    ['one passkey, and a sender without', [bare, withKey], { approval: { passkey: true } }, null],
    [
      'one passkey, also to send',
      [bare, withKey],
      { passkey: true, approval: { passkey: true } },
      `only 1 person with the scope has a passkey; 2 are needed${OWN}`,
    ],
    [
      'one passkey of two',
      [bare, withKey],
      { approval: { by: 2, passkey: true } },
      'only 1 person with the scope has a passkey; 2 are needed.',
    ],
    [
      'another scope',
      [bare, withKey],
      { approval: { scope: 'core:cards:manage' } },
      'nobody with the scopes signed in within the last 30 days; 1 is needed.',
    ],
    ['a sender with a passkey', [bare, withKey], { passkey: true }, null],
    [
      'no sender with a passkey',
      [bare],
      { passkey: true },
      'nobody with the scope has a passkey, so nobody can send it.',
    ],
  ])('%s', async (_what, people, rule, fault) => {
    expect(await faultsOf(people, { ...RULE, ...rule })).toEqual(fault === null ? [] : [NAME + fault])
  })
})

describe('people known to the console', () => {
  beforeEach(() => putPerProcess('known people', undefined))

  const known = async () => await readKnownPeople(await store())

  test('have the scopes that their own session read', async ({ operator }) => {
    expect(await known()).toEqual({ people: [], unread: [operator.actor] })
    await recordKnownPerson(operator)
    const { people, unread } = await known()
    expect(people).toMatchObject([{ actor: operator.actor, administers: false, hasPasskey: false }])
    expect([...(people[0]?.scopes ?? [])]).toContain(CONFIRM)
    expect(unread).toEqual([])
  })

  test('are administrators by the same rule as elsewhere', async ({ service }) => {
    await recordKnownPerson(await signedIn(service, 'admin@example.com', userIdOf('3')))
    expect((await known()).people).toMatchObject([{ administers: true }])
  })

  test('are not recorded while their scopes are unreadable', async ({ service }) => {
    await recordKnownPerson(await signedInUnread(service, 'operator@example.com'))
    expect((await known()).people).toEqual([])
  })

  test('are forgotten after 30 days', async ({ service, operator }) => {
    await recordKnownPerson(operator)
    const db = await store()
    await sql`UPDATE known_person SET known_at = '2020-01-01T00:00:00.000Z'`.execute(db)
    expect((await known()).people).toEqual([])
    await recordKnownPerson(await signedIn(service, 'admin@example.com', userIdOf('3')))
    expect(await db.selectFrom('known_person').select('actor').execute()).toEqual([{ actor: `sso:${userIdOf('3')}` }])
  })

  test('do not include sign-ins that were refused', async ({ operator }) => {
    const by = { actor: `sso:${userIdOf('9')}`, displayName: 'Somebody', method: 'sso' } as const
    await writeAudit({ by, kind: 'session.refused', facts: { why: 'not-staff' } })
    expect((await known()).unread).toEqual([operator.actor])
  })

  test('a failing store fails no page', async ({ operator }) => {
    const { failing, remove } = await FailingStore.install()
    let ended = 0
    for (const at of [1, 2, 3]) {
      putPerProcess('known people', undefined)
      const record = async () => {
        await recordKnownPerson(operator)
        ended += 1
      }
      await failing.live(at, 'before', record)
    }
    remove()
    expect(ended).toBe(3)
  })

  describe('asked about a change', () => {
    const RULE = { kind: 'deposit.confirm', approval: { by: 1 } }

    test('warn in the preview and after the request, and refuse nothing', async ({
      service,
      operator,
      shortagesOf,
    }) => {
      underPolicy(RULE)
      await recordKnownPerson(operator)
      const words = `${NOBODY}nobody else has the scope.`
      expect(await shortagesOf()).toEqual([words, words])
      await recordKnownPerson(await signedIn(service, 'admin@example.com', userIdOf('3')))
      expect(await shortagesOf()).toEqual([null, undefined])
    })

    test('do not count people who entered its references', async ({ service, operator }) => {
      underPolicy(RULE)
      const admin = await signedIn(service, 'admin@example.com', userIdOf('3'))
      for (const session of [operator, admin]) await recordKnownPerson(session)
      const { id, referenceId } = await draftDeposit(service, operator, '600')
      await enterReference(service, operator, admin, referenceId)
      const reply = await askForApproval(operator, id, { reason: 'On the statement of today', proof: null })
      expect(reply).toMatchObject({
        notice: `${NOBODY}1 other person with the scope, 1 is a party or entered its data.`,
      })
    })
  })
})

test.for<[why: string, given: readonly Partial<Approval>[], enough: boolean]>([
  ['two other people', [{}, { actor: 'sso:3' }], true],
  ['one person twice', [{}, {}], false],
  ['its author', [{}, { actor: 'sso:1' }], false],
  ['an approval of another effect', [{}, { actor: 'sso:3', effect: 'other' }], false],
  ['a third who declines', [{}, { actor: 'sso:3' }, { actor: 'sso:4', approves: false }], false],
])('of two approvals that are needed: %s', ([, given, enough]) => {
  const need = { ...ONE, by: 2, reread: false }
  const request = { ...need, reason: '', askedAt: '', expiresAt: '', expired: false }
  const approved = {
    command_id: '',
    actor: 'sso:2',
    actor_name: '',
    approves: true,
    effect: 'effect',
    reason: '',
    at: 1,
  }
  const approvals = given.map((differing) => ({ ...approved, ...differing }))
  expect(isApproved({ actor: 'sso:1', effect: 'effect' }, need, request, approvals)).toBe(enough)
})
