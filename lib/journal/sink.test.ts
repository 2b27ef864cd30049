import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { type Kysely, sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { tamper as tamperOnce } from '#lib/testing/approval-world.ts'
import { FailingStore, type Failure } from '#lib/testing/failing-store.ts'
import { answerWith, startLogReceiver } from '#lib/testing/log-receiver.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { leafWrittenWith, macOf } from './event.ts'
import { appendEvent, inJournal, logHead, sequenceAll } from './sequencer.ts'
import { deliverEntries, deliverLast, pauseMs, sinkStatus, startSink } from './sink.ts'
import { EMPTY_TREE, growTree, leafHash, rootOf } from './tree.ts'

const TOKEN = 'Canary-token-5512'
const TEXT = 'Canary text about Ana'

interface Line {
  readonly log: string
  readonly index: number
  readonly leaf: { readonly body?: Readonly<Record<string, string>> }
  readonly fields: Readonly<Record<string, unknown>>
}

let db: Kysely<Tables>
let folder: string
let file: string
let siem: Awaited<ReturnType<typeof startLogReceiver>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sink-'))
  siem = await startLogReceiver()
})

afterAll(() => {
  siem.stop()
  rmSync(folder, { recursive: true })
})

beforeEach(() => {
  for (const name of ['audit sink', 'audit sink rounds', 'audit sink warning']) putPerProcess(name, undefined)
  file = join(folder, `${randomUUID()}.jsonl`)
  siem.received = []
  siem.answer = answerWith(204)
})

async function consoleWith(change: Readonly<Record<string, string>>): Promise<void> {
  await freshConsole(change)
  db = await store()
}

const withFile = () => consoleWith({ AUDIT_SINK: `file:${file}` })
const withHttp = () => consoleWith({ AUDIT_SINK: `${siem.origin}/in?key=Canary-query`, AUDIT_SINK_TOKEN: TOKEN })

/** Two entries with text about people. */
async function change(): Promise<void> {
  const texts = { actorName: TEXT, params: JSON.stringify({ note: TEXT }), facts: JSON.stringify({ holder: TEXT }) }
  const { id } = await insertDraft(db, {
    ...{ id: randomUUID(), kind: 'deposit.confirm', actor: 'sso:1', target: randomUUID(), ...texts },
    confirmText: JSON.stringify({ v: 1, title: TEXT }),
  })
  const hidden = { effect: TEXT, seenFacts: TEXT, assertion: TEXT, passkey: TEXT, holder: TEXT, freed: TEXT }
  const note = { ...hidden, why: TEXT, byName: TEXT, by: 'sso:2' }
  await moveCommand(db, id, { from: ['draft'], to: 'closed', note })
  await sequenceAll()
}

async function entries(count: number, body: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const at = new Date(Date.now() - 3_600_000).toISOString()
  await inJournal(db, async (trx) => {
    for (let n = 0; n < count; n += 1)
      appendEvent(trx, { commandId: null, at, state: 'noted', actor: 'operations', body: { ...body, n }, moved: false })
  })
  await sequenceAll()
}

const linesOf = (text: string): Line[] => {
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as Line)
}

const inFile = () => (existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : [])
const inRequests = () => siem.received.flatMap(({ body }) => linesOf(body))
const indexes = (lines: readonly Line[]) => lines.map(({ index }) => index)
const upTo = (size: number) => Array.from({ length: size }, (_, at) => at)
const expireLease = () => sql`UPDATE log_sink SET held_until = 0`.execute(db)
const position = async () => (await db.selectFrom('log_sink').select('next_index').executeTakeFirst())?.next_index ?? 0

const tamper = (statement: string) => tamperOnce(sql.raw(`DO $$ BEGIN ${statement}; END $$`))

describe.each([
  ['a file', withFile, inFile],
  ['an address', withHttp, inRequests],
])('to %s', (_name, begin, lines) => {
  beforeEach(begin)

  test('delivers the whole log once and in order', async () => {
    for (let round = 0; round < 3; round += 1) {
      await change()
      await deliverEntries()
      await deliverEntries()
    }
    expect(indexes(lines())).toEqual(upTo(7))
    expect(new Set(lines().map(({ log }) => log))).toEqual(new Set(['localhost:3000']))
  })

  test('delivered leaves give the root hash that was signed', async () => {
    for (let round = 0; round < 3; round += 1) await change()
    await deliverEntries()
    const leaves = lines().map(({ leaf }) => leafHash(canonicalize(leaf) ?? ''))
    expect(rootOf(growTree(EMPTY_TREE, leaves).tree)).toBe((await logHead(db)).root)
  })

  test('gives text about people as hashes only', async () => {
    await change()
    await deliverEntries()
    const [, draft, closed] = lines()
    const hashes = Object.keys({ ...draft?.leaf.body, ...closed?.leaf.body })
    for (const name of ['actorName', 'facts.holder', 'params.note', 'why', 'byName']) expect(hashes).toContain(name)
    expect(Object.keys(draft?.fields ?? {})).toEqual(['kind', 'target', 'policy', 'boot', 'judged', 'confirmText'])
    expect(closed?.fields).toMatchObject({ by: 'sso:2', kind: 'deposit.confirm' })
    expect(JSON.stringify(lines())).not.toContain('Canary')
  })

  test('delivers many entries in batches', async () => {
    await entries(1_100)
    await deliverEntries()
    expect(indexes(lines())).toEqual(upTo(1_101))
  })

  test.each<Failure>(['before', 'after', 'out'])('no entry is left out if a statement fails (%s)', async (failure) => {
    const { failing, remove } = await FailingStore.install()
    try {
      let statement = 0
      for (let failed = true; failed; statement += 1) {
        await change()
        failed = await failing.live(statement + 1, failure, deliverEntries)
        await expireLease()
      }
      expect(statement).toBeGreaterThan(5)
      await deliverEntries()
    } finally {
      remove()
    }
    const { size } = await logHead(db)
    expect([...new Set(indexes(lines()))]).toEqual(upTo(size))
  })
})

test('a batch has at most 500 entries and a megabyte', async () => {
  await withHttp()
  await entries(700)
  await entries(30, { long: 'x'.repeat(100_000) })
  await deliverEntries()
  expect(siem.received.map(({ body }) => linesOf(body).length)).toEqual([500, 210, 9, 9, 3])
  expect(Math.max(...siem.received.map(({ body }) => body.length))).toBeLessThanOrEqual(1_000_000)
})

test('sends JSON lines with the token', async () => {
  await withHttp()
  await change()
  await deliverEntries()
  const headers = { 'content-type': 'application/x-ndjson', authorization: `Bearer ${TOKEN}` }
  expect(siem.received).toMatchObject([{ path: '/in?key=Canary-query', headers }])
})

describe('delivers again after', () => {
  test.each<[what: string, fault: (response: ServerResponse) => void, why: string]>([
    ['a fault', answerWith(500), 'the sink answered 500'],
    ['a refusal', answerWith(401), 'the sink answered 401'],
    ['a redirect', answerWith(307, { location: '/elsewhere' }), 'the sink answered 307'],
    ['a cut', (response) => response.destroy(), 'the sink gave no answer: ECONNRESET'],
    ['silence', () => vi.advanceTimersByTime(10_000), 'the sink gave no answer: time-out'],
    [
      'an endless answer',
      (response) => void response.writeHead(200).end(Buffer.alloc(9_000_000)),
      'the sink gave no answer: the answer is too large',
    ],
  ])('%s', async (_what, fault, why) => {
    await withHttp()
    await change()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    siem.answer = fault
    await expect(deliverEntries()).rejects.toThrow(new Error(why))
    expect(siem.received.map(({ path }) => path)).toEqual(['/in?key=Canary-query'])
    siem.answer = answerWith(200)
    await deliverEntries()
    expect(indexes(inRequests())).toEqual([...upTo(3), ...upTo(3)])
  })
})

test('pauses longer after each failure, up to a minute', () => {
  expect([1, 2, 3, 6, 7, 5_000].map(pauseMs)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000])
})

test('a failed delivery waits for its pause', async () => {
  await withHttp()
  await change()
  siem.answer = answerWith(503)
  await deliverLast()
  await deliverLast()
  expect(siem.received).toHaveLength(1)
})

test('only one of two deliveries runs', async () => {
  await withHttp()
  await change()
  const held = siem.hold()
  const first = deliverEntries()
  const response = await held
  await deliverEntries()
  expect(siem.received).toHaveLength(1)
  answerWith(200)(response)
  await first
  expect(await position()).toBe(3)
})

test('the last delivery waits for the one under way', async () => {
  await withHttp()
  await change()
  const held = siem.hold()
  void deliverLast()
  const response = await held
  await change()
  siem.answer = answerWith(200)
  const last = deliverLast()
  answerWith(200)(response)
  await last
  expect(await position()).toBe(5)
})

test('an overtaken delivery does not set the position back', async () => {
  await withHttp()
  await change()
  const held = siem.hold()
  const overtaken = deliverEntries()
  const response = await held
  await expireLease()
  siem.answer = answerWith(200)
  await change()
  await deliverEntries()
  expect(await position()).toBe(5)
  answerWith(200)(response)
  await overtaken
  expect(await position()).toBe(5)
  expect(indexes(inRequests())).toEqual([...upTo(3), ...upTo(5)])
})

describe('delivers nothing from where somebody', () => {
  beforeEach(withFile)

  test.each([
    ['changed an event', `UPDATE command_event SET body = replace(body, 'sso:2', 'sso:3') WHERE sequence = 4`, 4],
    ['removed an event', 'DELETE FROM command_event WHERE sequence = 3', 3],
    ['removed a leaf', 'DELETE FROM log_leaf WHERE index = 4', 4],
    [
      'swapped leaves',
      'UPDATE log_leaf SET sequence = -sequence WHERE index IN (2, 3); UPDATE log_leaf SET sequence = 5 + sequence WHERE index IN (2, 3)',
      2,
    ],
    ['removed a hash', 'DELETE FROM log_node WHERE level = 0 AND index = 2', 2],
  ])('%s', async (_what, statement, delivered) => {
    await change()
    await change()
    await tamper(statement)
    for (let round = 0; round < 2; round += 1)
      await expect(deliverEntries()).rejects.toThrow(`entry ${delivered} was altered`)
    expect(indexes(inFile())).toEqual(upTo(delivered))
  })

  test('shortened the log', async () => {
    await change()
    await change()
    await deliverEntries()
    await tamper('UPDATE log_head SET size = 3')
    await expect(deliverEntries()).rejects.toThrow('the log has 3 entries, and 5 were delivered')
    expect((await sinkStatus(db))?.waitingEntries).toBe(3)
  })

  test('changed an event and its hash', async () => {
    await change()
    const event = await db.selectFrom('command_event').selectAll().where('sequence', '=', 2).executeTakeFirstOrThrow()
    const { auditKey } = config()
    const forged = { ...event, body: event.body.replace('sso:2', 'sso:3') }
    const leaf = leafWrittenWith({ ...forged, mac: macOf(forged, auditKey) }, auditKey) ?? ''
    await tamper(`UPDATE command_event SET body = '${forged.body}' WHERE sequence = 2;
      UPDATE log_node SET hash = '${leafHash(leaf)}' WHERE level = 0 AND index = 2`)
    await expect(deliverEntries()).rejects.toThrow('entry 2 was altered')
    expect(indexes(inFile())).toEqual(upTo(2))
  })

  test('changed the end of the chain', async () => {
    await change()
    try {
      await sql`UPDATE ended_chain SET mac = 'another'`.execute(db)
      await expect(deliverEntries()).rejects.toThrow('entry 0 was altered')
    } finally {
      await sql`UPDATE ended_chain SET mac = ''`.execute(db)
    }
    expect(existsSync(file)).toBe(false)
  })
})

test('another target gets the whole log', async () => {
  await withFile()
  await change()
  await deliverEntries()
  configureForTest({ DATABASE_URL: config().databaseUrl, AUDIT_SINK: `${siem.origin}/in?key=Canary-query` })
  await change()
  await deliverEntries()
  expect([indexes(inFile()), indexes(inRequests())]).toEqual([upTo(3), upTo(5)])
})

describe('a file', () => {
  beforeEach(withFile)

  test('is for its owner only', async () => {
    await change()
    await deliverEntries()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('gets whole lines after one that was cut', async () => {
    writeFileSync(file, '{"log":"localhost:3000","ind')
    await change()
    await deliverEntries()
    await change()
    await deliverEntries()
    const text = readFileSync(file, 'utf8')
    expect(indexes(linesOf(text.slice(text.indexOf('\n') + 1)))).toEqual(upTo(5))
  })

  test('that was renamed is followed by a new one', async () => {
    await change()
    await deliverEntries()
    renameSync(file, `${file}.1`)
    await change()
    await deliverEntries()
    expect(indexes(inFile())).toEqual([3, 4])
    expect(indexes(linesOf(readFileSync(`${file}.1`, 'utf8')))).toEqual(upTo(3))
  })

  test.each([
    ['/nowhere/log.jsonl', 'the file cannot be written: ENOENT'],
    ['/dev/full', 'the path is not that of a file'],
    [tmpdir(), 'the file cannot be written: EISDIR'],
  ])('%s is refused', async (path, why) => {
    configureForTest({ DATABASE_URL: config().databaseUrl, AUDIT_SINK: `file:${path}` })
    await change()
    await expect(deliverEntries()).rejects.toThrow(new Error(why))
    expect(await position()).toBe(0)
  })
})

test('logs a fault once a minute, without token, address and text', async () => {
  await withHttp()
  let logged = ''
  putPerProcess('log', pino({}, { write: (line: string) => (logged += line) }))
  await change()
  siem.answer = answerWith(500, { 'x-echo': TOKEN })
  await deliverLast()
  putPerProcess('audit sink rounds', undefined)
  siem.answer = (response) => void response.end(TOKEN)
  await tamper(`UPDATE command_event SET body = replace(body, 'deposit', 'card')`)
  await deliverLast()
  expect(logged.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(logged)).toMatchObject({ level: 50, event: 'audit-sink', why: 'the sink answered 500' })
  const stored = await db.selectFrom('log_sink').selectAll().execute()
  for (const text of [logged, JSON.stringify(stored), ...siem.received.map(({ body }) => body)])
    expect(text).not.toMatch(/Canary|127\.0\.0\.1/)
})

test('reports waiting entries and the age of the oldest', async () => {
  await withFile()
  await change()
  await deliverEntries()
  expect(await sinkStatus(db)).toEqual({ waitingEntries: 0, lagSeconds: 0 })
  await entries(2)
  await change()
  expect(await sinkStatus(db)).toEqual({ waitingEntries: 4, lagSeconds: expect.closeTo(3_600, -3) })
})

test('without a sink nothing runs', async () => {
  await consoleWith({})
  await change()
  startSink()
  await deliverEntries()
  expect(peekPerProcess('audit sink')).toBeUndefined()
  expect(await sinkStatus(db)).toBeNull()
})
