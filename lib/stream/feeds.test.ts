import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { topicEntries } from '#lib/authorization/routes.ts'
import { startCommand } from '#lib/commands/execute.ts'
import { readCommand } from '#lib/commands/reconcile.ts'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { log } from '#lib/config/log.ts'
import { peekPerProcess, putPerProcess, steadyNow } from '#lib/config/per-process.ts'
import { recordCall } from '#lib/service/client.ts'
import { endSession } from '#lib/session/end-session.ts'
import { recordActivity } from '#lib/session/limits.ts'
import { Session } from '#lib/session/session.ts'
import { deleteSession, saveAdminRule } from '#lib/session/vault/session-table.ts'
import { rotateHandle } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { topics } from '#lib/topics.ts'
import { countStreams, endFeedsOfOldHandles, openEventStream, pollEvents, setFeedTopics } from './feeds.ts'
import type { StreamEvent } from './stream-event.ts'

const ARBITRATOR = '00000000-0000-4000-8000-000000000002'
const ADMIN = '00000000-0000-4000-8000-000000000003'
const OPERATOR = '00000000-0000-4000-8000-000000000001'

let service: TestService
let session: Session
let dispute: TestCase

beforeAll(async () => {
  log().level = 'silent'
  service = await testService()
})
beforeEach(async () => {
  await freshConsole({ CORE_API_URL: service.url })
  dispute = await raiseCase(service)
  session = await signedIn(service, 'arbitrator@example.com', ARBITRATOR)
})
afterEach(async () => {
  await endSession(session.id, 'signed-out')
})

/** All events of a stream so far. */
function listen(topics: readonly string[], of = session) {
  const events: StreamEvent[] = []
  const body = openEventStream(of, { topics })
  const read = async () => {
    for await (const part of body) {
      for (const [, data] of new TextDecoder().decode(part).matchAll(/^data: (.*)$/gm)) {
        events.push(JSON.parse(data ?? '') as StreamEvent)
      }
    }
  }
  const ended = read()
  const [values, problems] = [
    (topic: string) => resultsOf(topic).flatMap((result) => (result.ok ? [result.value] : [])),
    (topic: string) => resultsOf(topic).flatMap((result) => (result.ok ? [] : [result.problem.status])),
  ]
  const resultsOf = (topic: string) =>
    events.flatMap((event) => (event.type === 'topic' && event.topic === topic ? [event.result] : []))
  return { events, ended, values, problems }
}

const claim = (holder: string) => claimedBy(holder, dispute.id)

test('the access table has an entry for each topic and no other', () => {
  expect([...topics.keys()].sort()).toEqual(Object.keys(topicEntries).sort())
})

describe('a stream', () => {
  test('names its person, then sends each topic and its changes', async () => {
    const workspace = `workspace ${dispute.id}`
    const { events, values } = listen(['session', workspace])
    await eventually(() => expect([values('session').length, values(workspace).length]).toEqual([1, 1]))
    expect(events[0]).toMatchObject({ type: 'open', actor: session.actor })
    await claim('mia')
    await eventually(() => expect(values(workspace).at(-1)).toMatchObject({ claim: { holderName: 'mia@example.com' } }))
    await recordActivity(session)
    await eventually(() => expect(values('session')).toHaveLength(2))
    expect(values(workspace)).toHaveLength(2)
  })

  test('follows a change of its topics', async () => {
    const workspace = `workspace ${dispute.id}`
    const { events, values } = listen(['session'])
    await eventually(() => expect(values('session')).toHaveLength(1))
    const id = events[0]?.type === 'open' ? events[0].id : ''
    expect(setFeedTopics(session, id, { topics: [workspace, 'session'], again: ['session'] })).toBe(true)
    await eventually(() => expect([values('session').length, values(workspace).length]).toEqual([2, 1]))
    expect(setFeedTopics(session, id, { topics: ['session'] })).toBe(true)
    await claim('leo')
    await recordActivity(session)
    await eventually(() => expect(values('session')).toHaveLength(3))
    expect(values(workspace)).toHaveLength(1)
  })

  test('is refused to another session', async () => {
    const { events } = listen(['session'])
    await eventually(() => expect(events.length).toBeGreaterThan(0))
    const id = events[0]?.type === 'open' ? events[0].id : ''
    const other = await signedIn(service, 'operator@example.com', OPERATOR)
    expect(setFeedTopics(other, id, { topics: ['session'] })).toBe(false)
    await endSession(other.id, 'signed-out')
  })

  test('reports since when the service is silent', async () => {
    const { values } = listen(['session'])
    const silentSince = (since: unknown) =>
      eventually(() => expect(values('session').at(-1)).toMatchObject({ serviceSilentSince: since }))
    await silentSince(null)
    recordCall({ kind: 'lost', why: 'time-out' }, steadyNow())
    await silentSince(expect.any(String))
    recordCall({ kind: 'answer', status: 404, headers: {}, body: '' }, steadyNow())
    await silentSince(null)
  })

  test('refuses topics beyond the scopes, and unknown ones', async () => {
    const operator = await signedIn(service, 'operator@example.com', OPERATOR)
    const workspace = `workspace ${dispute.id}`
    const names = [workspace, 'nothing', 'thread', 'thread x', 'session x']
    const { problems, values } = listen(names, operator)
    await eventually(() => expect(names.map((topic) => problems(topic))).toEqual([[403], [400], [400], [400], [400]]))
    expect(values(workspace)).toEqual([])
    await endSession(operator.id, 'signed-out')
  })
})

test('ends a stream whose browser left before the answer', () => {
  const topics = ['session', `thread ${dispute.id}`]
  openEventStream(session, { topics }, AbortSignal.abort())
  expect(countStreams()).toBe(0)
  const browser = new AbortController()
  openEventStream(session, { topics }, browser.signal)
  expect(countStreams()).toBe(1)
  browser.abort()
  expect(countStreams()).toBe(0)
})

test('limits the cases of a session', async () => {
  const threads = Array.from({ length: 41 }, (_, n) => `thread 00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
  const { events, problems, values } = listen(threads)
  await eventually(() => expect(problems(threads[40] ?? '')).toEqual([429]))
  await eventually(() => expect(threads.filter((topic) => values(topic).length > 0)).toHaveLength(40))
  const id = events[0]?.type === 'open' ? events[0].id : ''
  setFeedTopics(session, id, { topics: threads.slice(1) })
  await eventually(() => expect(values(threads[40] ?? '').length).toBeGreaterThan(0))
})
test('ends a stream with the grace of its handle', async () => {
  const { events, ended } = listen(['session'])
  const replaced = Session.handleOf(session).idHash
  const current = await openForTest(await rotated(session))
  const kept = listen(['session'], current)
  await endFeedsOfOldHandles()
  expect(events).not.toContainEqual({ type: 'resync' })
  const over = { answers_until: new Date(Date.now() - 1).toISOString() }
  await (await store()).updateTable('session_handle').set(over).where('id_hash', '=', replaced).execute()
  await endFeedsOfOldHandles()
  await ended
  expect([events.at(-1), kept.events.filter(({ type }) => type === 'resync')]).toEqual([{ type: 'resync' }, []])
})

test('ends a stream at its session’s end while the store is out', async () => {
  const { events, ended } = listen(['session'])
  const [whole, out] = [peekPerProcess('store'), Promise.reject(new Error('the store is out'))]
  out.catch(() => {})
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(session.endsAt) })
  try {
    putPerProcess('store', out)
    await endFeedsOfOldHandles()
  } finally {
    vi.useRealTimers()
    putPerProcess('store', whole)
  }
  await ended
  expect(events.at(-1)).toEqual({ type: 'closed', why: 'session-over' })
})

/** The handle that a request of this session's browser was given. */
async function rotated(of: Session): Promise<string> {
  const handle = Session.handleOf(of)
  const request = new Session(of, Session.dataKeyOf(of), handle)
  expect(await rotateHandle(request)).toBe(true)
  return Session.newHandleOf(request) ?? ''
}

test('sends an unused session again before it ends', async () => {
  const source = topics.get('session')?.source
  if (source?.kind !== 'value') throw new Error('the session has no value')
  const afterMinutes = async (minutes: number) => {
    const at = new Date(Date.now() - minutes * 60_000).toISOString()
    await (await store()).updateTable('session').set({ last_active_at: at }).execute()
    return await source.read(session, '')
  }
  const { againMs } = await afterMinutes(12)
  expect(againMs).toBeGreaterThan(50_000)
  expect(againMs).toBeLessThan(61_000)
  const near = await afterMinutes(13.1)
  expect([near.againMs, near.fingerprint?.endsWith('true')]).toEqual([null, true])
})

test('follows a colleague’s change past a failed scope read', async () => {
  const [db, id] = [await store(), randomUUID()]
  const params = JSON.stringify({ cardId: id, last4: '', reason: 'Stolen' })
  await insertDraft(db, { id, kind: 'card.block', actor: 'sso:mia', actorName: 'mia', target: id, params, facts: '{}' })
  await startCommand(db, id, [])
  const admin = await signedIn(service, 'admin@example.com', ADMIN)
  const { values, problems } = listen([`command ${id}`], admin)
  await eventually(() => expect(values(`command ${id}`)).toMatchObject([{ outcome: { class: 'sending' } }]))
  await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 503 }, 3)
  putPerProcess('scopes', undefined)
  const end = { from: ['sent'], to: 'done', outcome: JSON.stringify({ class: 'done', lines: [], steps: [] }) } as const
  await moveCommand(db, id, end)
  await eventually(() => expect(problems(`command ${id}`)).toEqual([403]))
  expect(await readCommand(admin, randomUUID(), false)).toMatchObject({ problem: { retryAfterSeconds: 5 } })
  await service.clearFaults()
  await eventually(() => expect(values(`command ${id}`).at(-1)).toMatchObject({ outcome: { class: 'done' } }))
})

/** A command of a later version with this outcome. */
async function changeOf(actor: string, end: 'done' | 'unknown'): Promise<void> {
  const [db, id] = [await store(), randomUUID()]
  const about = { target: dispute.id, params: '{}', facts: '{}' }
  await insertDraft(db, { id, kind: 'future.kind', actor, actorName: actor, ...about })
  await startCommand(db, id, [])
  await moveCommand(db, id, { from: ['sent'], to: end, outcome: JSON.stringify({ class: end }) })
}

test('a stopping process ends a new stream with resync', async () => {
  const before = peekPerProcess('stop')
  putPerProcess('stop', { leaving: true, stopping: true, listeners: new Set() })
  try {
    const { events, ended } = listen(['session'])
    await ended
    expect(events).toEqual([{ type: 'resync' }])
  } finally {
    putPerProcess('stop', before)
  }
})

test('Home gets own changes and unresolved ones of colleagues', async () => {
  const { values } = listen(['home'])
  await eventually(() => expect(values('home')).toHaveLength(1))
  await changeOf(session.actor, 'done')
  await eventually(() => expect(values('home').at(-1)).toMatchObject({ lately: { count: 1 } }))
  await changeOf('sso:mia', 'unknown')
  await eventually(() => expect(values('home').at(-1)).toMatchObject({ unseen: { unknown: 1 } }))
})

test('only administrators get the start and end of sessions', async () => {
  await freshConsole({ CORE_API_URL: service.url, STAFF_ADMIN_SCOPES: 'core:disputes:resolve' })
  session = await signedIn(service, 'arbitrator@example.com', ARBITRATOR)
  const { values, problems } = listen(['sessions'])
  await eventually(() => expect(values('sessions')).toHaveLength(1))
  const other = await openForTest(await signInForTest())
  await eventually(() => expect(values('sessions')).toHaveLength(2))
  const names = listen(['sessions'], other)
  await eventually(() => expect(names.problems('sessions')).toEqual([403]))
  await endSession(other.id, 'signed-out')
  await eventually(() => expect(values('sessions')).toHaveLength(3))
  const [first, second, third] = values('sessions')
  expect([third, problems('sessions')]).toEqual([first, []])
  expect(second).not.toBe(first)
})

test('says nothing of its own end to a list of sessions', async () => {
  const source = topics.get('sessions')?.source
  const read = async () => (source?.kind === 'value' ? await source.read(session, '') : null)
  expect(await read()).toMatchObject({ result: { ok: true } })
  await deleteSession(await store(), session.id, 'ended-by-admin')
  expect(await read()).toEqual({ result: undefined })
})

test('ends the stream of a withdrawn administrator claim', async () => {
  await freshConsole({ CORE_API_URL: service.url, STAFF_ADMIN_CLAIM: 'groups=console-admins' })
  session = await openForTest(await signInForTest({ administers: true }))
  const { events, ended, values } = listen(['sessions'])
  await eventually(() => expect(values('sessions')).toHaveLength(1))
  await endFeedsOfOldHandles()
  expect(countStreams()).toBe(1)
  await saveAdminRule(await store(), session.id, null)
  await endFeedsOfOldHandles()
  await ended
  expect(events.map(({ type }) => type)).toEqual(['open', 'topic', 'resync'])
})

describe('a poll', () => {
  test('returns each topic, then only its changes', async () => {
    const workspace = `workspace ${dispute.id}`
    const topics = ['session', workspace]
    const first = (await pollEvents(session, null, { topics })) ?? []
    expect(first.map((event) => (event.type === 'topic' ? event.topic : event.type)).sort()).toEqual(
      ['open', ...topics].sort(),
    )
    const id = first[0]?.type === 'open' ? first[0].id : ''
    expect(await pollEvents(session, id, { topics })).toEqual([])
    await claim('mia')
    await eventually(async () =>
      expect(await pollEvents(session, id, { topics })).toMatchObject([{ topic: workspace }]),
    )
  })

  test('opens a new feed for an unknown id', async () => {
    const first = (await pollEvents(session, '00000000-0000-4000-8000-00000000dead', { topics: ['session'] })) ?? []
    expect(first.map(({ type }) => type)).toEqual(['open', 'topic'])
  })

  test('gives nothing of a feed to another session', async () => {
    const [first] = (await pollEvents(session, null, { topics: [] })) ?? []
    const id = first?.type === 'open' ? first.id : ''
    const other = await signedIn(service, 'operator@example.com', OPERATOR)
    expect(await pollEvents(other, id, { topics: [] })).toEqual([
      { type: 'open', id: expect.not.stringContaining(id), actor: other.actor },
    ])
    await endSession(other.id, 'signed-out')
  })

  test('of an ended session returns only its end', async () => {
    await endSession(session.id, 'signed-out')
    const over = { type: 'closed', why: 'session-over' }
    expect([await pollEvents(session, null, { topics: [] }), countStreams()]).toEqual([[over], 0])
  })

  test('keeps its feed for twenty seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await pollEvents(session, null, { topics: [] })
      vi.advanceTimersByTime(19_999)
      expect(countStreams()).toBe(1)
      vi.advanceTimersByTime(1)
      expect(countStreams()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that is too far behind starts again', async () => {
    const topics = Array.from({ length: 256 }, (_, number) => `nothing ${number}`)
    expect(await pollEvents(session, null, { topics: topics.slice(1) })).toHaveLength(256)
    expect(await pollEvents(session, null, { topics })).toEqual([{ type: 'resync' }])
  })
})
