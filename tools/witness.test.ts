import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { insertDraft } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { verifierKey } from '#lib/journal/checkpoint.ts'
import { type EventRow, leafWrittenWith, macOf } from '#lib/journal/event.ts'
import { logHead, sequenceAll } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { continueLog, refusedByWitness, witnessStatus } from '#lib/journal/witness.ts'
import { store } from '#lib/store/store.ts'
import { tamper as tamperOnce } from '#lib/testing/approval-world.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { GET, POST } from '../app/api/log/checkpoint/route.ts'
import { forgetState, publicKeyOf, type settingsOf as Settings, settingsOf, witness } from './witness.mjs'

const TOKEN = 'the-token-of-the-witness-in-this-test'
const KEY = Buffer.alloc(32, 5).toString('base64')

let server: Server
let folder: string
let settings: ReturnType<typeof Settings>
/** Replaces the console's answer. */
let answerInstead: (() => { readonly status: number; readonly body: string } | undefined) | null = null

async function serve(): Promise<void> {
  server = createServer(async (request, response) => {
    const sent = Buffer.concat(await Array.fromAsync(request))
    const other = answerInstead?.()
    if (other !== undefined) {
      response.writeHead(other.status, { location: '/elsewhere' }).end(other.body)
      return
    }
    const { method = 'GET' } = request
    const [body, { authorization = '' }] = [method === 'POST' ? { body: sent } : {}, request.headers]
    const forwarded = new Request(`http://localhost${request.url}`, { method, headers: { authorization }, ...body })
    const answer = await (method === 'POST' ? POST : GET)(forwarded)
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witness-'))
  symlinkSync(join(import.meta.dirname, 'witness.mjs'), join(folder, 'run'))
  await serve()
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({
  WITNESS_CONSOLE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  WITNESS_TOKEN: TOKEN,
  WITNESS_LOG_KEY: verifierKey(config().logOrigin, config().logKeys[0]),
  WITNESS_KEY: KEY,
  WITNESS_NAME: 'witness.example.com',
  WITNESS_STATE: join(folder, 'state'),
})

beforeEach(async () => {
  const key = settingsOf({ ...environmentOfAnyLog, WITNESS_KEY: KEY }).key
  await freshConsole({ WITNESS_TOKEN: TOKEN, WITNESS_PUBLIC_KEY: publicKeyOf('witness.example.com', key) })
  rmSync(join(folder, 'state'), { force: true })
  answerInstead = null
  settings = settingsOf(environment())
  await grow(5)
})

const environmentOfAnyLog = {
  WITNESS_CONSOLE: 'http://localhost',
  WITNESS_TOKEN: TOKEN,
  WITNESS_LOG_KEY: verifierKey('any', configureForTest().logKeys[0]),
}

async function grow(events: number): Promise<void> {
  const about = { kind: 'deposit.confirm', actor: 'sso:1', actorName: 'O', params: '{}', facts: '{}' }
  for (let at = 0; at < events; at += 1)
    await insertDraft(await store(), { id: randomUUID(), target: `DEP~${at}`, ...about })
  await sequenceAll()
}

async function tamper(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await tamperOnce(sql.raw(statement))
}

const stateNow = () => readFileSync(settings.file, 'utf8')

test('confirms a log as it grows, in one line', async () => {
  expect((await witness(settings)).size).toBe(6)
  await grow(4)
  expect((await witness(settings)).size).toBe(10)
  expect((await witness(settings)).size).toBe(10)
  expect(stateNow().trimEnd().split('\n')).toHaveLength(1)
  expect(await verifyJournal(await store(), config())).toMatchObject({ events: 9, faults: [] })
  const status = await witnessStatus(await store())
  expect(status).toMatchObject({ size: 10, confirmedSize: 10, conflict: null })
  expect(status?.lagSeconds).toBeLessThan(60)
  expect((await logHead(await store())).cosigned).toContain('— witness.example.com ')
})

test('keeps its state though its cosignature does not arrive', async () => {
  answerInstead = vi.fn().mockReturnValueOnce(undefined).mockReturnValue({ status: 503, body: '' })
  await expect(witness(settings)).rejects.toThrow('503')
  expect(JSON.parse(stateNow()).size).toBe(6)
})

test('its silence shows although its clock is ahead', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  await witness(settings)
  vi.useRealTimers()
  await tamper('UPDATE log_head SET cosigned_received = extract(epoch FROM clock_timestamp()) - 600')
  await witness(settings)
  expect((await witnessStatus(await store()))?.lagSeconds).toBeCloseTo(600, -2)
})

describe('with both keys in hand,', () => {
  const empty = [
    'DELETE FROM log_leaf',
    'DELETE FROM log_node',
    `UPDATE log_head SET size = 0, root = '', checkpoint = ''`,
  ]
  const placeAgain = 'INSERT INTO log_pending (sequence) SELECT sequence FROM command_event ORDER BY sequence'

  async function rewrite(change: (event: EventRow) => Partial<EventRow>): Promise<void> {
    const db = await store()
    for (const event of await db.selectFrom('command_event').selectAll().execute()) {
      const changed = { ...event, ...change(event) }
      const { at, mac } = { at: changed.at, mac: macOf(changed, config().auditKey) }
      await tamper(`UPDATE command_event SET at = '${at}', mac = '${mac}' WHERE sequence = ${event.sequence}`)
      expect(leafWrittenWith({ ...changed, mac }, config().auditKey)).not.toBeNull()
    }
    await tamper(...empty, placeAgain)
  }

  const forgeries: readonly (readonly [string, 'shrunken' | 'forked', () => Promise<void>])[] = [
    [
      'a cut log',
      'shrunken',
      async () => {
        await tamper('DELETE FROM command_event WHERE sequence > 3', 'DELETE FROM command', ...empty, placeAgain)
        await sequenceAll()
      },
    ],
    [
      'a log of other events, of the same size',
      'forked',
      async () => {
        await rewrite(({ sequence, at }) => (sequence === 2 ? { at: at.replace('20', '19') } : {}))
        await sequenceAll()
      },
    ],
    [
      'a rewritten log that grew on',
      'forked',
      async () => {
        await rewrite(({ sequence, at }) => (sequence === 2 ? { at: at.replace('20', '19') } : {}))
        await grow(7)
      },
    ],
    [
      'an event too many',
      'forked',
      async () => {
        await tamper(...empty)
        await grow(1)
        await tamper('INSERT INTO log_pending (sequence) SELECT sequence FROM command_event WHERE sequence < 6')
        await grow(1)
      },
    ],
  ]

  test.each(forgeries)('%s is refused', async (_name, event, forge) => {
    await witness(settings)
    const before = stateNow()
    await forge()
    await expect(witness(settings)).rejects.toMatchObject({ event })
    expect(stateNow()).toBe(before)
    const db = await store()
    expect((await witnessStatus(db))?.conflict).toEqual({ size: 6 })
    expect(await refusedByWitness(db)).toMatchObject({ status: 503 })
    const lost = 'is the end of a log that the witness confirmed and that is not here'
    for (const statement of ['SELECT 1', "UPDATE log_head SET cosigned = ''"]) {
      await tamper(statement)
      expect((await verifyJournal(db, config())).faults.map(({ what }) => what)).toContain(lost)
    }
  })
})

test('a restored log goes on only when told', async () => {
  await witness(settings)
  await tamper('CREATE TABLE IF NOT EXISTS dump AS SELECT * FROM log_head')
  await grow(3)
  await witness(settings)
  const restored = ['command_event', 'log_leaf', 'log_node', 'log_pending'].map((table) =>
    table === 'log_node'
      ? 'DELETE FROM log_node WHERE (index + 1) * 2 ^ level > 6'
      : `DELETE FROM ${table} WHERE sequence > 5`,
  )
  await tamper(
    ...restored,
    'DELETE FROM command WHERE id NOT IN (SELECT command_id FROM command_event)',
    'UPDATE log_head SET (size, root, checkpoint) = (SELECT size, root, checkpoint FROM dump)',
    'DROP TABLE dump',
  )
  await expect(witness(settings)).rejects.toMatchObject({ event: 'shrunken' })
  const db = await store()
  await expect(grow(1)).rejects.toThrow('the witness confirmed another log')
  expect((await logHead(db)).size).toBe(6)

  expect(await continueLog(db, 6)).toBe(false)
  forgetState(settings)
  expect(existsSync(`${settings.file}.9`)).toBe(true)
  expect(await continueLog(db, 9)).toBe(true)
  expect(await refusedByWitness(db)).toBeNull()
  await sequenceAll()
  expect((await witness(settings)).size).toBe(8)
  expect((await verifyJournal(db, config())).faults).toEqual([])
  const last = await db.selectFrom('command_event').selectAll().orderBy('sequence', 'desc').executeTakeFirstOrThrow()
  expect([last.command_id, last.state, JSON.parse(last.body).size]).toEqual([null, 'log.continue', 6])
})

describe('refuses', () => {
  test('another key, another log, a changed size', async () => {
    const { key: otherKey } = settingsOf({ ...environment(), WITNESS_KEY: Buffer.alloc(32, 77).toString('base64') })
    const { logKeys, logOrigin } = config()
    for (const logKey of [verifierKey(logOrigin, otherKey), verifierKey('other', logKeys[0])])
      await expect(witness(settingsOf({ ...environment(), WITNESS_LOG_KEY: logKey }))).rejects.toMatchObject({
        event: 'unsigned',
      })
    const note = (await logHead(await store())).checkpoint.replace('\n6\n', '\n7\n')
    answerInstead = () => ({ status: 200, body: `old 0\n\n${note}` })
    await expect(witness(settings)).rejects.toMatchObject({ event: 'unsigned' })
    expect(existsSync(settings.file)).toBe(false)
  })

  test.each(['', 'old 0\n\n', '\n\n\n', 'x'.repeat(70_000), 'old 0\n\na\n-1\nAA==\n\n— a AAAA\n'])(
    'what is no checkpoint (%#)',
    async (body) => {
      answerInstead = () => ({ status: 200, body })
      await expect(witness(settings)).rejects.toMatchObject({ event: 'unsigned' })
    },
  )

  test('what is no success', async () => {
    for (const status of [401, 404, 500, 503]) {
      answerInstead = () => ({ status, body: '' })
      await expect(witness(settings)).rejects.toThrow(String(status))
    }
  })

  test('a redirection', async () => {
    const answer = vi.fn().mockReturnValueOnce({ status: 307, body: '' })
    answerInstead = answer
    await expect(witness(settings)).rejects.toThrow('fetch failed')
    expect(answer).toHaveBeenCalledOnce()
  })

  test('settings without a key, or plain http', () => {
    for (const [name, value] of [
      ['WITNESS_KEY', 'short'],
      ['WITNESS_LOG_KEY', 'a+00000000+AAAA'],
      ['WITNESS_CONSOLE', 'http://console.example.com'],
      ['WITNESS_TOKEN', ''],
      ['WITNESS_EVERY_SECONDS', '0'],
    ] as const)
      expect(() => settingsOf({ ...environment(), [name]: value }), name).toThrow(name)
  })
})

describe('the console', () => {
  const ask = (method: 'GET' | 'POST', { token = TOKEN, query = '?from=0', body = '' } = {}) =>
    (method === 'GET' ? GET : POST)(
      new Request(`http://localhost/api/log/checkpoint${query}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' ? { body } : {}),
      }),
    )

  test('answers the witness alone', async () => {
    for (const method of ['GET', 'POST'] as const) {
      for (const token of ['', 'x', `${TOKEN}x`, TOKEN.slice(1)])
        expect((await ask(method, { token })).status, `${method} ${token}`).toBe(401)
    }
    configureForTest()
    expect((await ask('GET')).status).toBe(404)
    expect((await ask('POST')).status).toBe(404)
  })

  test.each(['', '?from=', '?from=-1', '?from=1e3', '?from=00', `?from=${'9'.repeat(16)}`])(
    'refuses the size %j',
    async (query) => {
      expect((await ask('GET', { query })).status).toBe(400)
    },
  )

  test('answers a size it does not have without a proof', async () => {
    const answer = await (await ask('GET', { query: '?from=999999' })).text()
    expect(answer.startsWith('old 999999\n\n')).toBe(true)
  })

  test('takes no checkpoint without both signatures', async () => {
    const { note } = await witness(settings)
    const lines = note.split('\n')
    const [log = '', own = ''] = lines.filter((line) => line.startsWith('— '))
    const bad = [
      '',
      note.replace('\n6\n', '\n5\n'),
      note.replace(`${log}\n`, ''),
      note.replace(`${own}\n`, ''),
      note.replace(own, own.replace(/.{4}==$|.{4}$/, 'AAAA')),
      'x'.repeat(10_000),
    ]
    for (const body of bad) expect((await ask('POST', { body })).status, body).toBe(400)
    expect((await ask('POST', { body: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await ask('POST', { body: note })).status).toBe(200)
    expect(await refusedByWitness(await store())).toBeNull()
  })

  test('takes a longer log after a time that was ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    await witness(settings)
    vi.useRealTimers()
    await grow(2)
    await witness(settings)
    expect((await witnessStatus(await store()))?.confirmedSize).toBe(8)
  })
})

describe('the program', () => {
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, [join(folder, 'run'), ...args], { env: { ...process.env, ...environment(), ...more } })

  async function ended(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const child = run(args, more)
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += part))
    const [code] = await once(child, 'exit')
    for (const secret of [TOKEN, KEY]) expect(printed).not.toContain(secret)
    return { code, printed }
  }

  test('confirms once through a link, and says its public key', async () => {
    const { code, printed } = await ended(['--once'])
    const lines = printed.split('\n', 2).map((line) => JSON.parse(line))
    const publicKey = publicKeyOf('witness.example.com', settings.key)
    expect([code, ...lines]).toMatchObject([0, { publicKey, state: settings.file }, { event: 'confirmed', size: 6 }])
    expect((await witnessStatus(await store()))?.confirmedSize).toBe(6)
  })

  test('takes another log only with --accept', async () => {
    await ended(['--once'])
    await freshConsole({ WITNESS_TOKEN: TOKEN, WITNESS_PUBLIC_KEY: publicKeyOf('witness.example.com', settings.key) })
    await grow(2)
    const refused = await ended(['--once'])
    expect([refused.code, JSON.parse(refused.printed.trim().split('\n').at(-1) ?? '').event]).toEqual([1, 'shrunken'])
    expect((await ended(['--accept'])).code).toBe(0)
    expect(existsSync(`${settings.file}.6`)).toBe(true)
    expect((await ended(['--once'])).code).toBe(0)
  })

  test('sends an alarm until it is received, and its end', async () => {
    const alarms: { readonly event: string }[] = []
    const receiver = createServer(async (request, response) => {
      alarms.push(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()))
      response.writeHead(alarms.length === 1 ? 503 : 200).end()
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    const { port } = receiver.address() as AddressInfo
    answerInstead = () => ({ status: 503, body: '' })
    const often = { WITNESS_EVERY_SECONDS: '1', WITNESS_SILENT_SECONDS: '1' }
    const child = run([], { ...often, WITNESS_ALARM_URL: `http://127.0.0.1:${port}` })
    const events = () => alarms.map(({ event }) => event)
    let printed = ''
    child.stdout.on('data', (part) => (printed += part))
    try {
      await expect.poll(events, { timeout: 20_000 }).toEqual(['silent', 'silent'])
      answerInstead = null
      await expect.poll(events, { timeout: 20_000 }).toEqual(['silent', 'silent', 'over'])
      const results = [...printed.matchAll(/"event":"result","what":"([^"]+)"/g)].map(([, what]) => what)
      expect(results).toEqual(['the console answered 503', 'confirmed'])
    } finally {
      child.kill()
      receiver.close()
    }
  })
})
