import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { perProcess, putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { changes } from '#lib/testing/other-changes.ts'
import { otherConsole } from '#lib/testing/other-console.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { type Encounter, unprovenSuccesses } from '#lib/testing/other-trial.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import {
  confirmForTest,
  csvOf,
  importedAndRead,
  importForTest,
  pageOf,
  statusesOf,
  toItsEnd,
} from '#lib/testing/test-statement.ts'
import { startConfirming } from './confirm-run.ts'
import { startMatching } from './match-lines.ts'
import { resultsFile } from './results-csv.ts'
import { stopWork } from './work.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const READ = '/api/v1/Transaction/{referenceId}'
const OPERATOR = '00000000-0000-4000-8000-000000000001'
/** It only ends what hangs. */
const PATIENTLY = { timeout: 50_000 }

async function rowsOf(id: string): Promise<readonly Record<string, string>[]> {
  const file = await resultsFile(id)
  return parse(file?.text ?? '', { columns: true, bom: true }) as Record<string, string>[]
}

describe('a run whose first line is answered by', () => {
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

  async function run({ faults }: Encounter): Promise<string> {
    const [first, second] = [deposit!.ask(service.world, session), deposit!.ask(service.world, session)]
    const lines = [first, second].map(({ on }) => ({ reference: on, amount: '250.00' }))
    const id = await importedAndRead(session, csvOf(lines))
    service.faults = [...faults(first)]
    await confirmForTest(session, id)
    return id
  }

  const claims = unprovenSuccesses(deposit)

  test.each(claims.filter(({ made }) => !made))('$name counts the second as done alone', async (encounter) => {
    const id = await run(encounter)
    const { lines, counts } = await pageOf(id)
    expect(counts).toEqual({ open: 1, done: 1 })
    expect(lines[0]).toMatchObject({ status: 'open', found: { state: 'QUEUED' }, outcome: { class: 'accepted' } })
    expect(await rowsOf(id)).toMatchObject([
      { State: 'Not known yet', 'Transaction state': 'QUEUED', 'Confirmed by': '', 'Confirmed (UTC)': '' },
      { State: 'Done', 'Transaction state': 'PROCESSING' },
    ])
  })
})

describe('a run that the service asks to wait', () => {
  let service: TestService
  let operator: Session

  beforeEach(async () => {
    service = await freshWorld()
    operator = await signedIn(service, 'operator@example.com', OPERATOR)
  })

  async function announced(count: number): Promise<Uint8Array> {
    const references: string[] = []
    for (let at = 0; at < count; at += 1) references.push(await service.announceDeposit('10'))
    return csvOf(references.map((reference) => ({ reference })))
  }

  const tooMany = (method: string, path: string, retryAfter: number | null, times: number) =>
    service.fault(method, path, { status: 429, ...(retryAfter === null ? {} : { retryAfter }) }, times)

  const sent = () => service.arrived('POST', CONFIRM)

  /** Starts a run; `meanwhile` ends it. */
  async function runUntil(id: string, meanwhile: () => Promise<unknown>): Promise<void> {
    const { seal } = (await pageOf(id)).ready
    await toItsEnd(async (detach) => {
      const started = await startConfirming(operator, id, { seal, code: null }, detach)
      await meanwhile()
      return started
    })
  }

  const pausedUntil = async (id: string) => (await pageOf(id)).work.pausedUntil

  test('confirms every line once, with the same line again', async () => {
    const [id, before] = [await importedAndRead(operator, await announced(3)), await sent()]
    await tooMany('POST', CONFIRM, 1, 2)
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual(['done', 'done', 'done'])
    expect((await pageOf(id)).work).toMatchObject({ done: 3, total: 3, ended: '', pausedUntil: null })
    await expect.poll(sent, PATIENTLY).toBe(before + 5)
  })

  test('waits before a line is drafted', async () => {
    const id = await importedAndRead(operator, await announced(2))
    // A read is repeated twice before it gives up.
    await tooMany('GET', READ, 0, 3)
    await confirmForTest(operator, id)
    expect(await statusesOf(id)).toEqual(['done', 'done'])
  })

  test('looks up every line', async () => {
    const id = await importForTest(operator, await announced(3))
    await tooMany('GET', READ, 0, 12)
    await toItsEnd((detach) => startMatching(operator, id, detach))
    expect(await statusesOf(id)).toEqual(['ready', 'ready', 'ready'])
  })

  test('ends with its process, and sends nothing more', async () => {
    const [id, before] = [await importedAndRead(operator, await announced(2)), await sent()]
    await tooMany('POST', CONFIRM, 600, 10)
    const running = perProcess('stop', () => undefined)
    try {
      await runUntil(id, async () => {
        await expect.poll(() => pausedUntil(id), PATIENTLY).not.toBeNull()
        putPerProcess('stop', { leaving: true, asked: true, listeners: new Set() })
      })
    } finally {
      putPerProcess('stop', running)
    }
    expect(await statusesOf(id)).toEqual(['ready', 'ready'])
    expect((await pageOf(id)).work).toMatchObject({ work: null, pausedUntil: null })
    await expect.poll(sent, PATIENTLY).toBe(before + 1)
  })

  test.each([
    [null, 20, 40],
    [600, 590, 610],
    [86_400, 890, 910],
  ])('for %j seconds shows until when, and can be stopped', async (seconds, least, most) => {
    const [id, before] = [await importedAndRead(operator, await announced(2)), await sent()]
    await tooMany('POST', CONFIRM, seconds, 10)
    const startedAt = Date.now()
    await runUntil(id, async () => {
      await expect.poll(() => pausedUntil(id), PATIENTLY).not.toBeNull()
      const waits = (Date.parse((await pausedUntil(id)) ?? '') - startedAt) / 1000
      // Between the start and the pause a busy machine may take its time.
      expect(waits).toBeGreaterThan(least)
      expect(waits).toBeLessThan(most + (Date.now() - startedAt) / 1000)
      await stopWork(id)
    })
    expect(await statusesOf(id)).toEqual(['ready', 'ready'])
    expect((await pageOf(id)).work).toMatchObject({ ended: 'It was stopped after 0 of 2.', pausedUntil: null })
    await expect.poll(sent, PATIENTLY).toBe(before + 1)
    const { commands } = await (await store())
      .selectFrom('command')
      .select(({ fn }) => fn.countAll<number>().as('commands'))
      .where('kind', '=', 'deposit.confirm')
      .executeTakeFirstOrThrow()
    expect(commands).toBe(1)
  })
})
