import { sql } from 'kysely'
import { expect } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { store } from '#lib/store/store.ts'
import { draftDeposit, tamper } from '#lib/testing/approval-world.ts'
import { executeForTest } from '#lib/testing/gated-deposit.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { exportDossier, exportEvidence } from './evidence.ts'

const test = serviceTest
  .extend('maker', ({ operator }) => operator)
  .extend('id', async ({ service, maker }) => {
    const { id } = await draftDeposit(service, maker, '100')
    await executeForTest(maker, id)
    return id
  })

test('exports each event of a change, and records that', async ({ service, maker, id }) => {
  const exported = await exportEvidence(maker, id)
  if (!exported?.ok) throw new Error('not exported')
  expect(exported.confirmed).toBe(false)
  const { entries } = exported.dossier
  expect(entries.map(({ fields }) => fields.kind?.[1])).toEqual([
    ...Array(3).fill('deposit.confirm'),
    'evidence.export',
  ])
  const [last] = entries.slice(-1)
  const { command = '' } = (last?.leaf ?? {}) as { readonly command?: string }
  const newcomer = await signedIn(service, 'newcomer@example.com', userIdOf('4'))
  expect(await commandHistory(newcomer, command)).toBeNull()
  expect((await commandHistory(maker, command))?.command).toMatchObject({
    title: expect.stringMatching(/^Evidence exported: Confirm deposit of 100/),
    target: id,
  })
})

test('is for people who may see the change', async ({ service, maker, id }) => {
  const arbitrator = await signedIn(service, 'arbitrator@example.com', userIdOf('2'))
  expect(await exportEvidence(arbitrator, id)).toBeNull()
  expect(await exportEvidence(maker, userIdOf('99'))).toBeNull()
  const unread = await signedInUnread(service, 'operator@example.com')
  expect(await exportEvidence(unread, userIdOf('99'))).toMatchObject({
    problem: { title: expect.stringContaining('scopes could not be read') },
  })
  const admin = await signedIn(service, 'admin@example.com', userIdOf('3'))
  expect(await exportEvidence(admin, id)).toMatchObject({ ok: true })
})

test.for([
  ['an altered event', sql`UPDATE command_event SET actor = 'sso:9'`, 'The journal of this was altered'],
  ['events before the signed log', sql`UPDATE command_event SET salts = NULL`, 'older than the signed log'],
] as const)('refuses %s', async ([_name, change, why], { maker, id }) => {
  await tamper(sql`${change} WHERE command_id = ${id}`)
  expect(await exportEvidence(maker, id)).toMatchObject({ ok: false, problem: { title: expect.stringContaining(why) } })
})

test('exports once at a time for a person', async ({ maker, id }) => {
  const both = await Promise.all([exportEvidence(maker, id), exportEvidence(maker, id)])
  expect(both.filter((exported) => exported?.ok)).toHaveLength(1)
  expect(await exportEvidence(maker, id)).toMatchObject({ ok: true })
})

test('exports nothing while the witness disagrees', async ({ maker, id }) => {
  await (await store()).updateTable('log_head').set({ conflict: 'another log' }).execute()
  expect(await exportEvidence(maker, id)).toMatchObject({ ok: false, problem: { status: 503 } })
})

test('takes what is confirmed from the signed note alone', async ({ maker, id }) => {
  await (await store()).updateTable('log_head').set({ cosigned_size: 1_000_000 }).execute()
  const exported = await exportEvidence(maker, id)
  if (!exported?.ok) throw new Error('not exported')
  expect(exported.confirmed).toBe(false)
  expect(exported.dossier.checkpoint).not.toBe('')
})

test('makes no file that its verifier refuses for its size', async ({ maker, id }) => {
  const answers = [{ request: 'GET /', at: new Date().toISOString(), body: '"'.repeat(10_000_000) }]
  const exported = await exportDossier(maker, { target: id, of: 'case', commands: [id], answers })
  expect(exported).toMatchObject({ ok: false, problem: { title: expect.stringContaining('too large') } })
  const { rows } = await sql`SELECT 1 FROM command WHERE kind = 'evidence.export'`.execute(await store())
  expect(rows).toEqual([])
})

test('the history of an export names who made it', async ({ maker, id }) => {
  await exportEvidence(maker, id)
  const command = (await store()).selectFrom('command').select('id').where('kind', '=', 'evidence.export')
  const history = await commandHistory(maker, (await command.executeTakeFirst())?.id ?? '')
  expect(history?.events.map(({ state, by }) => [state, by])).toEqual([['done', maker.displayName]])
})
