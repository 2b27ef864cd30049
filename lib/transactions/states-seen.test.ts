import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { OPERATOR } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { readTransaction, statesSeen } from './transaction-service.ts'

let service: TestService
let operator: Session

beforeEach(async () => {
  service = await testService()
  await freshConsole({ CORE_API_URL: service.url })
  operator = await signedIn(service, 'operator@example.com', OPERATOR)
})

const states = async (reference: string) => (await statesSeen(reference))?.map(({ state }) => state)

/** Reads until the states are noted, because a note may be lost. Returns the service's times of the reads. */
async function readUntilNoted(reference: string, expected: readonly string[]): Promise<readonly (string | null)[]> {
  const times: (string | null)[] = []
  const read = async () => {
    const result = await readTransaction(operator, reference)
    if (!result.ok) throw new Error('it could not be read')
    times.push(result.serviceTime)
  }
  await read()
  await eventually(async () => {
    if ((await states(reference))?.length !== expected.length) await read()
    expect(await states(reference)).toEqual(expected)
  })
  return times
}

test('every state in which a transaction was read is kept with its first time, in order', async () => {
  const reference = await service.announceDeposit('12')
  const times = await readUntilNoted(reference, ['QUEUED'])
  expect(times).toContain((await statesSeen(reference))?.[0]?.firstSeenAt)
  const [before] = (await statesSeen(reference)) ?? []
  await runCommand(operator, 'deposit.confirm', {
    referenceId: reference,
    bankReference: `ATL ${reference}`,
    statementAmount: '12',
  })
  await readUntilNoted(reference, ['QUEUED', 'PROCESSING'])
  expect((await statesSeen(reference))?.[0]).toEqual(before)
})

test('a store that takes no note neither fails nor loses the read, and the next one makes the note', async () => {
  const reference = await service.announceDeposit('13')
  const db = await store()
  await db.schema.alterTable('state_seen').renameTo('state_seen_away').execute()
  try {
    expect((await readTransaction(operator, reference)).ok).toBe(true)
    expect(await statesSeen(reference)).toBeNull()
  } finally {
    await db.schema.alterTable('state_seen_away').renameTo('state_seen').execute()
  }
  await readUntilNoted(reference, ['QUEUED'])
})

test('gives a state only the time that the service names', async () => {
  const reference = await service.announceDeposit('14')
  await readUntilNoted(reference, ['QUEUED'])
  const announced = await readTransaction(operator, reference)
  const params = { referenceId: reference, bankReference: `ATL ${reference}`, statementAmount: '14' }
  await runCommand(operator, 'deposit.confirm', params)
  await readUntilNoted(reference, ['QUEUED', 'PROCESSING'])
  await service.call('POST', '/sandbox/clock', { body: { advanceSeconds: 86_400 } })
  await readUntilNoted(reference, ['QUEUED', 'PROCESSING', 'PROCESSED'])
  const settled = await readTransaction(operator, reference)
  if (!announced.ok || !settled.ok) throw new Error('it could not be read')
  expect((await statesSeen(reference))?.map(({ state, since }) => [state, since])).toEqual([
    ['QUEUED', announced.value.createdAt],
    ['PROCESSING', null],
    ['PROCESSED', settled.value.settledAt],
  ])
})

test('a state that was noted without the service’s time gains it when it is read again', async () => {
  const reference = await service.announceDeposit('15')
  const db = await store()
  const first_seen_at = '2026-01-01T00:00:00.000Z'
  await db.insertInto('state_seen').values({ reference, state: 'QUEUED', first_seen_at, since: null }).execute()
  await eventually(async () => {
    const read = await readTransaction(operator, reference)
    const since = read.ok ? read.value.createdAt : ''
    expect(await statesSeen(reference)).toEqual([{ reference, state: 'QUEUED', firstSeenAt: first_seen_at, since }])
  })
})
