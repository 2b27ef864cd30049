import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { isSignedKeyChange, verifierKey } from '#lib/journal/checkpoint.ts'
import { sequenceAll } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { tamper } from '#lib/testing/approval-world.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { eraseOldAudit } from './audit-trail.ts'
import { recordStart, recordStop } from './process-trail.ts'

beforeEach(async () => {
  await freshConsole()
})

const logged = async () => {
  const events = (await store()).selectFrom('command_event').select(['state', 'body']).orderBy('sequence')
  return (await events.execute()).map(({ state, body }) => ({ state, body: JSON.parse(body) }))
}
const states = async () => (await logged()).map(({ state }) => state)
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const configure = (change: Readonly<Record<string, string>>) =>
  configureForTest({ DATABASE_URL: config().databaseUrl, ...change })

test('starts and stops of the process are in the log', async () => {
  await recordStart()
  await recordStop()
  expect(await logged()).toMatchObject([
    {
      state: 'console.start',
      body: { policy: null, witness: null, keys: [expect.stringMatching(/^localhost:3000\+/)] },
    },
    { state: 'console.stop' },
  ])
  await sequenceAll()
  expect((await verifyJournal(await store(), config())).faults).toEqual([])
})

test('another policy than at the last start is recorded once', async () => {
  Object.assign(config(), { policy: { ...config().policy, version: 'a'.repeat(64) } })
  await recordStart()
  await recordStart()
  expect(await states()).toEqual(['console.start', 'policy.load', 'console.start'])
  Object.assign(config(), { policy: { ...config().policy, version: null } })
  await recordStart()
  expect((await logged()).at(-1)?.body.facts).toEqual({ policy: null, before: 'a'.repeat(64), rules: 0 })
})

test('a change of LOG_KEY leaves a statement signed by the old', async () => {
  const [old] = config().logKeys
  const { logKeys, logOrigin } = configure({ LOG_KEY: `${key(9)},${key(8)}` })
  await recordStart()
  await recordStart()
  expect(await states()).toEqual(['console.start', 'key.change', 'console.start'])
  const { from, to, statement } = (await logged())[1]?.body.facts ?? {}
  expect([from, to]).toEqual([verifierKey(logOrigin, old), verifierKey(logOrigin, logKeys[0])])
  expect(isSignedKeyChange(statement, logOrigin, old, logKeys[0])).toBe(true)
})

test('records the same policy and key once, also after retention', async () => {
  const policy = { ...config().policy, version: 'a'.repeat(64) }
  Object.assign(configure({ LOG_KEY: `${key(9)},${key(8)}` }), { policy })
  await recordStart()
  await tamper(sql`UPDATE audit_entry SET at = '2020-01-01T00:00:00.000Z'`)
  putPerProcess('audit purge', undefined)
  await eraseOldAudit()
  await recordStart()
  expect(await states()).toEqual(['console.start', 'policy.load', 'key.change', 'console.start'])
})

test('a change back of LOG_KEY leaves one statement', async () => {
  for (const LOG_KEY of [`${key(9)},${key(8)}`, `${key(8)},${key(9)}`]) {
    configure({ LOG_KEY })
    await recordStart()
  }
  await recordStart()
  expect(await states()).toEqual(['console.start', 'key.change', 'console.start', 'key.change', 'console.start'])
})

test('a start that cannot be recorded is logged, not fatal', async () => {
  const failed = vi.spyOn(log(), 'error')
  const db = await store()
  await db.schema.alterTable('command_event').renameTo('command_event_away').execute()
  try {
    await recordStart()
    await recordStop()
  } finally {
    await db.schema.alterTable('command_event_away').renameTo('command_event').execute()
  }
  expect(failed).toHaveBeenCalledTimes(2)
})
