import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, vi } from 'vitest'
import { perProcess, putPerProcess, steadyNow } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { changes } from '#lib/testing/other-changes.ts'
import { otherConsole } from '#lib/testing/other-console.ts'
import { answer } from '#lib/testing/other-service/faults.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { refuse } from '#lib/testing/other-service/reply.ts'
import { type Encounter, unprovenSuccesses } from '#lib/testing/other-trial.ts'
import {
  confirmForTest,
  csvOf,
  importedAndRead,
  importForTest,
  pageOf,
  statusesOf,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { confirmAll, startConfirming } from './confirm-lines.ts'
import { findReady } from './line-table.ts'
import { resumeLookingUp, startMatching } from './match-lines.ts'
import { resultsFile } from './results-csv.ts'
import { type Detach, endStatementWork, PAUSES_MAX, pauseMs, type Run, stopWork } from './work.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const READ = '/api/v1/Transaction/{referenceId}'
/** It only ends what hangs. */
const PATIENTLY = { timeout: 50_000 }

const test = serviceTest
  .extend('announced', ({ service }) => async (count: number): Promise<Uint8Array> => {
    const references: string[] = []
    for (let at = 0; at < count; at += 1) references.push(await service.announceDeposit('10'))
    return csvOf(references.map((reference) => ({ reference })))
  })
  .extend('tooMany', ({ service }) => (method: string, path: string, retryAfter: number, times: number) => {
    return service.fault(method, path, { status: 429, retryAfter }, times)
  })
  .extend('sent', ({ service }) => () => {
    return service.arrived('POST', CONFIRM)
  })
  .extend('confirm', ({ operator }) => async (id: string, detach: Detach) => {
    return startConfirming(operator, id, { seal: (await pageOf(id)).ready.seal, code: null }, detach)
  })

async function rowsOf(id: string): Promise<readonly Record<string, string>[]> {
  const file = await resultsFile(id)
  return parse(file?.text ?? '', { columns: true, bom: true }) as Record<string, string>[]
}

describe('a run whose answers', () => {
  const deposit = changes.find(({ kind }) => kind === 'deposit.confirm')
  if (deposit === undefined) throw new Error('there is no confirmation')
  let service: OtherService
  let session: Session

  beforeAll(async () => {
    service = await OtherService.start()
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    session = await otherConsole(service)
  })

  /** Confirms one line for each list of faults, and one that is answered truly. */
  async function run(encounters: readonly Pick<Encounter, 'faults'>[]): Promise<string> {
    const requests = [...encounters, null].map(() => deposit!.ask(service.world, session))
    const id = await importedAndRead(session, csvOf(requests.map(({ on }) => ({ reference: on, amount: '250.00' }))))
    service.faults = encounters.flatMap(({ faults }, at) => faults(requests[at]!))
    await confirmForTest(session, id)
    return id
  }

  test('without proof are open, and only the true one done', async () => {
    const lies = unprovenSuccesses(deposit).filter(({ made }) => !made)
    const id = await run(lies)
    const { lines, counts } = await pageOf(id)
    expect(counts).toEqual({ open: lies.length, done: 1 })
    const rows = await rowsOf(id)
    for (const [at, { name }] of lies.entries()) {
      const [line, row] = [lines[at], rows[at]]
      expect([line?.status, line?.found?.state, line?.outcome?.class], name).toEqual(['open', 'QUEUED', 'accepted'])
      expect([row?.State, row?.['Transaction state'], row?.['Confirmed by'], row?.['Confirmed (UTC)']], name).toEqual([
        'Not known yet, or in progress',
        'QUEUED',
        '',
        '',
      ])
    }
    expect(rows.at(-1)).toMatchObject({ State: 'Done', 'Transaction state': 'PROCESSING' })
  })

  test('with 429 after acting are not sent again', async () => {
    const tooMany = { ...answer(refuse(429)), headers: { 'retry-after': '0' } }
    const id = await run([{ faults: () => [{ makes: 'now', ends: tooMany }] }])
    expect(await statusesOf(id)).toEqual(['refused', 'done'])
    expect((await pageOf(id)).lines[0]?.note).toContain('Processing')
    expect(service.changesSent).toBe(2)
  })
})

test.each([
  [null, 0, 30_000],
  [null, 6, 64_000],
  [0, 0, 1_000],
  [0, 3, 8_000],
  [600, 0, 600_000],
  [86_400, 0, 900_000],
  [0, PAUSES_MAX, 900_000],
])('waits %j seconds after %i pauses for %i ms', (seconds, pausesBefore, ms) => {
  expect(pauseMs(seconds, pausesBefore)).toBe(ms)
})

describe('a run that the service asks to wait', () => {
  const pausedUntil = async (id: string) => (await pageOf(id)).work.pausedUntil

  /** Starts work and waits for its pause; `end` ends it. */
  async function untilPaused(
    id: string,
    start: (detach: Detach) => Promise<unknown>,
    end: () => Promise<unknown>,
  ): Promise<void> {
    const running = perProcess('stop', () => undefined)
    try {
      await toItsEnd(async (detach) => {
        await start(detach)
        await expect.poll(() => pausedUntil(id), PATIENTLY).not.toBeNull()
        await end()
      })
    } finally {
      putPerProcess('stop', running)
    }
  }

  const stopProcess = () => putPerProcess('stop', { leaving: true, stopping: true, listeners: new Set() })

  test('confirms every line once, with the same line again', async ({ operator, announced, tooMany, sent }) => {
    const [id, before] = [await importedAndRead(operator, await announced(3)), await sent()]
    await tooMany('POST', CONFIRM, 1, 2)
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual(['done', 'done', 'done'])
    expect((await pageOf(id)).work).toMatchObject({ done: 3, total: 3, ended: '', pausedUntil: null })
    await expect.poll(sent, PATIENTLY).toBe(before + 5)
  })

  test('waits before a line is drafted', async ({ operator, announced, tooMany }) => {
    const id = await importedAndRead(operator, await announced(2))
    // A read is repeated twice before it gives up.
    await tooMany('GET', READ, 0, 3)
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual(['done', 'done'])
  })

  test('ends where the service keeps asking', async ({ operator, announced, tooMany }) => {
    const id = await importedAndRead(operator, await announced(2))
    await tooMany('POST', CONFIRM, 600, 100)
    const pauses: number[] = []
    const run: Run = {
      statementId: id,
      token: randomUUID(),
      number: 1,
      done: 0,
      cut: false,
      wantsCode: false,
      goesOn: async () => true,
      pause: async (ms) => pauses.push(ms) > 0,
    }
    const lines = await findReady(await store(), id)
    expect(await confirmAll(operator, run, lines)).toContain('Stopped at line 1: a rate limit was reached too often')
    expect(pauses).toHaveLength(PAUSES_MAX)
    expect(await statusesOf(id)).toEqual(['ready', 'ready'])
  })

  test('looks up every line', async ({ operator, announced, tooMany }) => {
    const id = await importForTest(operator, await announced(3))
    await tooMany('GET', READ, 0, 12)
    await toItsEnd((detach) => startMatching(operator, id, detach))
    expect(await statusesOf(id)).toEqual(['ready', 'ready', 'ready'])
  })

  test('looks up every line after a restart', async ({ operator, announced, tooMany }) => {
    const id = await importForTest(operator, await announced(3))
    await tooMany('GET', READ, 600, 3)
    await untilPaused(
      id,
      (detach) => startMatching(operator, id, detach),
      async () => stopProcess(),
    )
    await resumeLookingUp()
    await endStatementWork()
    expect(await statusesOf(id)).toEqual(['ready', 'ready', 'ready'])
  })

  test('waits no longer when the clock is set back', async ({ operator, announced, tooMany, confirm }) => {
    const id = await importedAndRead(operator, await announced(1))
    await tooMany('POST', CONFIRM, 600, 1)
    onTestFinished(() => void vi.useRealTimers())
    await untilPaused(
      id,
      (detach) => confirm(id, detach),
      async () => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
        steadyNow()
        vi.setSystemTime(Date.now() + 600_000)
      },
    )
    expect(await statusesOf(id)).toEqual(['done'])
  })

  test('ends with its process, and sends nothing more', async ({ operator, announced, tooMany, sent, confirm }) => {
    const [id, before] = [await importedAndRead(operator, await announced(2)), await sent()]
    await tooMany('POST', CONFIRM, 600, 1)
    await untilPaused(
      id,
      (detach) => confirm(id, detach),
      async () => stopProcess(),
    )
    expect(await statusesOf(id)).toEqual(['ready', 'ready'])
    expect((await pageOf(id)).work).toMatchObject({ work: null, pausedUntil: null })
    await expect.poll(sent, PATIENTLY).toBe(before + 1)
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual(['done', 'done'])
    await expect.poll(sent, PATIENTLY).toBe(before + 3)
  })

  test('shows its pause, and can be stopped', async ({ operator, announced, tooMany, sent, confirm }) => {
    const [id, before] = [await importedAndRead(operator, await announced(2)), await sent()]
    await tooMany('POST', CONFIRM, 600, 10)
    await untilPaused(
      id,
      (detach) => confirm(id, detach),
      async () => stopWork(id, (await pageOf(id)).work.run),
    )
    expect(await statusesOf(id)).toEqual(['ready', 'ready'])
    expect((await pageOf(id)).work).toMatchObject({ ended: 'Stopped after 0 of 2.', pausedUntil: null })
    await expect.poll(sent, PATIENTLY).toBe(before + 1)
  })
})
