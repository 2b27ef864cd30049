import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, describe, expect, vi } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { endIfChanged } from '#lib/commands/prepare.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { macOf } from '#lib/journal/event.ts'
import { store } from '#lib/store/store.ts'
import {
  awaiting,
  bodiesOf,
  decide,
  draftDeposit,
  enterReference,
  stateOf,
  tamper,
} from '#lib/testing/approval-world.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { optionsFor, passkeyOf, sendWith } from '#lib/testing/passkey-world.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { askForApproval } from './approvals.ts'
import { effectDigest } from './limits.ts'

// Somebody who can write to the store in every way, past its triggers, and does not hold AUDIT_KEY.

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const CHANGED = {
  class: 'refused',
  sent: false,
  title: 'This change was altered in the database after it was prepared',
}
const APPROVAL = { kind: 'deposit.confirm', when: { amountAtLeast: '9000.00' }, approval: { by: 1 } }
const PASSKEY = { kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, passkey: true }

const errors = vi.fn()

const test = serviceTest
  .extend('rules', [APPROVAL])
  .extend('service', ({ service }) => {
    errors.mockClear()
    putPerProcess('log', { error: errors, warn: () => {}, info: () => {} })
    return service
  })
  .extend('maker', ({ operator }) => operator)
  .extend('before', ({ service }) => service.arrived('POST', CONFIRM))
  .extend('sent', ({ service, before }) => async (): Promise<number> => {
    return (await service.arrived('POST', CONFIRM)) - before
  })
  .extend('expectStopped', ({ maker, sent }) => async (id: string): Promise<void> => {
    expect((await executeForTest(maker, id)).command.outcome).toMatchObject(CHANGED)
    expect([await stateOf(id), await sent()]).toEqual(['closed', 0])
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ denial: 'effect-differs' })
    expect(errors).toHaveBeenCalledWith(expect.objectContaining({ event: 'changed-in-store', id }), expect.anything())
  })
  .extend('draft', ({ service, maker }) => async () => {
    const referenceId = await service.announceDeposit('100')
    return await draftForTest(maker, 'deposit.confirm', { referenceId, bankReference: 'ATL-1', statementAmount: '100' })
  })

const LATER = '2099-01-01T00:00:00.000Z'

/** By column: what it is changed to. */
const changes: Readonly<Record<string, (row: CommandRow) => Partial<CommandRow>>> = {
  'the amount': () => ({ amount: '1' }),
  'the amount, removed': () => ({ amount: null }),
  'the decision': () => ({ decision: 'release' }),
  'the parameters': ({ params }) => ({ params: params.replace('9001', '9002') }),
  'the parameters, with a digest that fits': (row) => {
    const params = JSON.stringify({ ...JSON.parse(row.params), bankReference: 'another' })
    return { params, effect: effectDigest({ ...row, params }) }
  },
  'the parameters, to no JSON': () => ({ params: 'no JSON' }),
  'the facts, with a digest that fits': (row) => {
    const facts = JSON.stringify({ ...JSON.parse(row.facts), debit: '1.00000000' })
    return { facts, amount: '1', effect: effectDigest({ ...row, facts }) }
  },
  'the facts': ({ facts }) => ({ facts: facts.replace('QUEUED', 'PROCESSING') }),
  'the kind': () => ({ kind: 'deposit.settle' }),
  'the digest': () => ({ effect: 'f'.repeat(64) }),
  'the digest, removed': () => ({ effect: null }),
  'the policy': () => ({ policy: null }),
  'the name of its author': () => ({ actor_name: 'Somebody Else' }),
  'the text that was shown': ({ confirm_text }) => ({ confirm_text: String(confirm_text).replace('9,001', '1') }),
  'the text that was shown, removed': () => ({ confirm_text: null }),
  'the target': () => ({ target: 'DEP~another' }),
  'the time of its preparation': () => ({ created_at: LATER }),
}

test.for(Object.keys(changes))(
  'sends no draft after a change of %s',
  async (what, { service, maker, expectStopped }) => {
    const { id } = await draftDeposit(service, maker, '9001')
    const row = await findCommand(await store(), id)
    const change = Object.entries(changes[what]!(row!)).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await tamper(sql`UPDATE command SET ${sql.join(change)} WHERE id = ${id}`)
    await expectStopped(id)
  },
)

/** Columns that say nothing about what is sent or what it needs. */
const IDLE = [
  'batch',
  'boot_id',
  'counted_at',
  'erased_at',
  'handled_at',
  'late_at',
  'method',
  'outcome',
  'reconcile_until',
  'sent_at',
  'settled_at',
  'trace_id',
  'traceparent',
]

test('sends exactly what was prepared after changes elsewhere', async ({ service, maker, sent }) => {
  const { id, referenceId } = await draftDeposit(service, maker, '100')
  const row = await findCommand(await store(), id)
  const judged = ['id', 'kind', 'state', 'actor', 'actor_name', 'params', 'facts', 'target', 'created_at']
  expect(Object.keys(row!).sort()).toEqual(
    [...judged, ...IDLE, 'effect', 'policy', 'confirm_text', 'amount', 'decision'].sort(),
  )
  await tamper(sql`UPDATE command SET batch = 'x', boot_id = 'x', counted_at = 1, erased_at = ${LATER}, handled_at = ${LATER},
    late_at = ${LATER}, method = 'password',
    outcome = '{"class":"done","lines":[],"steps":[]}', reconcile_until = ${LATER}, sent_at = ${LATER},
    settled_at = ${LATER}, trace_id = 'x', traceparent = NULL WHERE id = ${id}`)
  expect((await executeForTest(maker, id)).command.outcome.class).toBe('done')
  expect(await sent()).toBe(1)
  expect((await bodiesOf(id)).at(-1)).toMatchObject({ target: referenceId })
})

test('raises no alarm for a change that moved on meanwhile', async ({ service, maker }) => {
  const [small, large] = [await draftDeposit(service, maker, '100'), await draftDeposit(service, maker, '9001')]
  const [first, second] = [await findCommand(await store(), small.id), await findCommand(await store(), large.id)]
  await executeForTest(maker, small.id)
  await askForApproval(maker, large.id, { reason: 'x', proof: null })
  expect([await endIfChanged(first!), await endIfChanged(second!)]).toEqual([null, null])
  expect([await stateOf(small.id), await stateOf(large.id)]).toEqual(['done', 'awaiting_approval'])
  expect(errors).not.toHaveBeenCalled()
})

describe('a trigger in the store', () => {
  const ANOTHER = "NEW.params := replace(NEW.params, 'ATL-1', 'ATL-2');"
  /** The embedded engine takes one statement at a time. */
  const run = async (...statements: readonly string[]) => {
    const db = await store()
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
  const alter = (when: string, change: string) =>
    run(
      `CREATE FUNCTION alter_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${change} RETURN NEW; END $$`,
      `CREATE TRIGGER alter_change BEFORE ${when} EXECUTE FUNCTION alter_change()`,
      'ALTER TABLE command_event DISABLE TRIGGER USER',
    )
  afterEach(() => run('DROP FUNCTION IF EXISTS alter_change CASCADE', 'ALTER TABLE command_event ENABLE TRIGGER USER'))

  test('has no draft sent that it alters', async ({ expectStopped, draft }) => {
    await alter('INSERT ON command FOR EACH ROW', `${ANOTHER} NEW.target := 'another';`)
    await expectStopped(await draft())
  })

  test('has nothing sent that it alters meanwhile', async ({ maker, sent, draft }) => {
    const id = await draft()
    await alter("UPDATE ON command FOR EACH ROW WHEN (NEW.state = 'sent')", ANOTHER)
    await expect(executeForTest(maker, id)).rejects.toThrow('altered')
    expect([await stateOf(id), await sent()]).toEqual(['draft', 0])
  })

  test('makes no draft of a change that is signed', async ({ service, maker, sent }) => {
    underPolicy(PASSKEY)
    const passkey = await passkeyOf(maker)
    const { id } = await draftDeposit(service, maker, '600')
    const options = await optionsFor(maker, id)
    const row = (await findCommand(await store(), id))!
    const params = JSON.stringify({ ...JSON.parse(row.params), bankReference: 'another' })
    const effect = effectDigest({ ...row, params })
    await alter(
      'INSERT ON passkey_assertion FOR EACH ROW',
      `UPDATE command SET params = '${params}', effect = '${effect}' WHERE id = '${id}';
        DELETE FROM command_event WHERE command_id = '${id}';
        NEW.effect := '${effect}';`,
    )
    await sendWith(maker, id, passkey.sign(options))
    expect([await stateOf(id), await sent()]).toEqual(['closed', 0])
  })
})

describe('another person', () => {
  test('does not send a draft that was made theirs', async ({ service, admin, maker, sent }) => {
    const { id } = await draftDeposit(service, maker, '100')
    await tamper(sql`UPDATE command SET actor = ${admin.actor} WHERE id = ${id}`)
    expect(await executeCommand(admin, id, { code: null, proof: null }, () => {})).toMatchObject({
      command: { outcome: CHANGED },
    })
    expect(await sent()).toBe(0)
  })

  test('does not send a draft under the id of another one', async ({ service, maker, expectStopped }) => {
    const [small, large] = [await draftDeposit(service, maker, '100'), await draftDeposit(service, maker, '9001')]
    await tamper(sql`DELETE FROM command WHERE id = ${small.id}`)
    await tamper(sql`UPDATE command SET id = ${small.id} WHERE id = ${large.id}`)
    await expectStopped(small.id)
  })
})

describe('the journal', () => {
  const KEY = randomBytes(32)

  test('must have the draft', async ({ service, maker, expectStopped }) => {
    const { id } = await draftDeposit(service, maker, '100')
    await tamper(sql`DELETE FROM command_event WHERE command_id = ${id}`)
    await expectStopped(id)
  })

  test.for<[string, (id: string, other: () => Promise<{ readonly id: string }>) => Promise<void>]>([
    [
      'with a MAC by another key',
      async (id) => {
        const db = await store()
        const event = await db
          .selectFrom('command_event')
          .selectAll()
          .where('command_id', '=', id)
          .executeTakeFirstOrThrow()
        await tamper(sql`UPDATE command_event SET mac = ${macOf(event, KEY)} WHERE command_id = ${id}`)
      },
    ],
    [
      'that is of another change',
      async (id, draftOther) => {
        const other = await draftOther()
        await tamper(sql`DELETE FROM command_event WHERE command_id = ${id}`)
        await tamper(sql`UPDATE command_event SET command_id = ${id} WHERE command_id = ${other.id}`)
      },
    ],
    [
      'in another text',
      async (id) => {
        await tamper(sql`UPDATE command_event SET body = replace(body, '9001', '1') WHERE command_id = ${id}`)
      },
    ],
  ])('counts no event %s', async ([_how, change], { service, maker, expectStopped }) => {
    const { id } = await draftDeposit(service, maker, '9001')
    await change(id, () => draftDeposit(service, maker, '100'))
    await expectStopped(id)
  })

  test('keeps a change that was sent from being sent again', async ({ service, maker, sent }) => {
    const { id } = await draftDeposit(service, maker, '100')
    expect((await executeForTest(maker, id)).command.outcome.class).toBe('done')
    await tamper(sql`DELETE FROM command_lock WHERE command_id = ${id}`)
    await tamper(sql`UPDATE command SET state = 'draft', sent_at = NULL, settled_at = NULL WHERE id = ${id}`)
    expect((await executeForTest(maker, id)).command.outcome).toMatchObject(CHANGED)
    expect(await sent()).toBe(1)
  })
})

describe('a change that waits for approval', () => {
  test.for<[what: string, RawBuilder<unknown>]>([
    ['the number of approvals', sql`UPDATE approval_request SET approvals = 1`],
    ['the scopes of approvers', sql`UPDATE approval_request SET scopes = '["core:transactions:read"]'`],
    ['the passkeys of approvers', sql`UPDATE approval_request SET passkey = true`],
    ['who may approve', sql`UPDATE approval_request SET administers = true`],
    ['its reason', sql`UPDATE approval_request SET reason = 'another'`],
    ['its end', sql`UPDATE approval_request SET expires_at = expires_at + 60`],
    ['its request, removed', sql`DELETE FROM approval_request`],
    ['its amount', sql`UPDATE command SET amount = 1`],
    ['its state', sql`UPDATE command SET state = 'draft', amount = 1`],
  ])(
    'is neither approved nor sent after a change of %s',
    async ([_what, statement], { service, admin, maker, sent }) => {
      underPolicy({ ...APPROVAL, approval: { by: 2, scope: 'core:transactions:confirm' } })
      const [decided, waiting] = [await awaiting(service, maker, '9001'), await awaiting(service, maker, '9002')]
      await tamper(statement)
      await decide(admin, decided.id)
      for (const { id } of [decided, waiting]) {
        expect((await executeForTest(maker, id)).command.outcome).toMatchObject(CHANGED)
        expect((await bodiesOf(id)).at(-1)).toMatchObject({ denial: 'effect-differs' })
      }
      expect(await sent()).toBe(0)
    },
  )

  test.for<[what: string, RawBuilder<unknown>]>([
    ['another person', sql`UPDATE approval SET actor = 'sso:another'`],
    ['another effect', sql`UPDATE approval SET effect = ${'f'.repeat(64)}`],
    ['a refusal', sql`UPDATE approval SET approves = false`],
  ])('is not sent with an approval changed to %s', async ([_what, statement], { service, admin, maker, sent }) => {
    const { id } = await awaiting(service, maker, '9001')
    await decide(admin, id)
    await tamper(statement)
    expect((await executeForTest(maker, id)).command.outcome.class).toBe('approval')
    expect(await sent()).toBe(0)
  })

  test('is not sent after its decline was removed', async ({ service, admin, maker, sent }) => {
    const { id } = await awaiting(service, maker, '9001')
    await decide(admin, id, false, 'No')
    await tamper(sql`DELETE FROM approval`)
    await tamper(sql`UPDATE command SET state = 'awaiting_approval', settled_at = NULL WHERE id = ${id}`)
    await decide(admin, id)
    expect((await executeForTest(maker, id)).command.outcome).toMatchObject(CHANGED)
    expect(await sent()).toBe(0)
  })

  test('is not approved by somebody whose entry was removed', async ({ service, admin, maker }) => {
    const { id, referenceId } = await draftDeposit(service, maker, '9001')
    await enterReference(service, maker, admin, referenceId)
    await askForApproval(maker, id, { reason: 'x', proof: null })
    await tamper(sql`DELETE FROM entered_reference`)
    expect(await decide(admin, id)).toMatchObject({ ok: false, problem: { status: 403 } })
  })
})

test('keeps the rule for what was entered by hand', async ({ service, maker, sent }) => {
  underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } })
  const referenceId = await service.announceDeposit('100')
  await enterReference(service, maker, maker, referenceId)
  const params = { referenceId, bankReference: 'ATL-1', statementAmount: '100' }
  const id = await draftForTest(maker, 'deposit.confirm', params)
  await tamper(sql`DELETE FROM entered_reference`)
  expect((await executeForTest(maker, id)).command.outcome).toMatchObject({
    title: 'This needs approval by someone else',
  })
  expect(await sent()).toBe(0)
})
