import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { log } from '#lib/config/log.ts'
import { viewersOf } from '#lib/disputes/workspace/workspace-tables.ts'
import { endSession } from '#lib/session/end-session.ts'
import { liveSessions } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { openEventStream } from '#lib/stream/feeds.ts'
import { schedule } from '#lib/stream/schedule.ts'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { runs } from '#lib/testing/runs.ts'
import { signedIn as withTokens } from '#lib/testing/signed-in.ts'
import { raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { TestHub } from '#lib/testing/test-hub.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { applyEvent, type CaseEvent, type CaseView, type LiveState } from './case-stream.ts'
import { openRelay } from './session-relay.ts'

const BREAKS = runs(50, 15)
const ARBITRATOR = '00000000-0000-4000-8000-000000000002'

let service: TestService
let session: Session
let dispute: TestCase

beforeAll(async () => {
  log().level = 'silent'
  service = await testService()
})

beforeEach(async () => {
  await service.call('POST', '/sandbox/reset')
  await freshConsole({ CORE_API_URL: service.url })
  dispute = await raiseCase(service)
  session = await signedIn(service, 'arbitrator@example.com', ARBITRATOR)
})

afterEach(async () => {
  // Also closes the hub connection.
  await endSession(session.id, 'signed-out')
  for (const tab of tabs.splice(0)) await tab.ended
})

/** A tab that shows a case from its stream. */
class Tab {
  view: CaseView | null = null
  readonly events: (CaseEvent | StreamEvent)[] = []
  readonly ended: Promise<void>

  constructor(of: Session) {
    const body = openEventStream(of, { topics: [`thread ${dispute.id}`] })
    this.ended = this.#read(body)
  }

  get state(): string | undefined {
    return this.view?.status.state
  }

  get shown(): readonly string[] {
    return this.view?.messages.map(({ body }) => body) ?? []
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    for await (const part of body) {
      for (const block of new TextDecoder().decode(part).split('\n\n')) {
        const data = block.split('\n').find((line) => line.startsWith('data: '))
        if (data === undefined) continue
        const event = JSON.parse(data.slice(6)) as StreamEvent
        const found = event.type === 'topic' && event.result.ok ? (event.result.value as CaseEvent) : null
        this.events.push(found ?? event)
        if (found !== null) this.view = next(this.view, found)
      }
    }
  }
}

function next(view: CaseView | null, event: CaseEvent): CaseView | null {
  if (view !== null) return applyEvent(view, event)
  if (event.type !== 'snapshot') return null
  const { case: found, readOnly, messages } = event
  return { case: found, readOnly, messages, status: { state: 'catching-up', unreadable: 0, problem: null } }
}

const tabs: Tab[] = []

function openTab(of = session): Tab {
  const tab = new Tab(of)
  tabs.push(tab)
  return tab
}

const viewers = async () => (await viewersOf(await store(), dispute.id)).map(({ name }) => name)

async function hubUpgrades(): Promise<readonly { readonly status: number; readonly hubToken: string }[]> {
  const { requests } = (await service.call('GET', '/sandbox/requests')) as unknown as {
    requests: readonly { path: string; status: number; hubToken: string }[]
  }
  return requests.filter(({ path }) => path === '/hubs/disputes')
}

describe('a case in a tab', () => {
  test('becomes live and gets each message once', async () => {
    await dispute.post('one')
    const before = (await hubUpgrades()).length
    const tab = openTab()
    await eventually(() => expect(tab.state).toBe('live'))
    await dispute.post('two', 'ben')
    await eventually(() => expect(tab.shown.at(-1)).toBe('two'))
    expect(tab.shown).toEqual(await dispute.thread())
    expect((await hubUpgrades()).slice(before).map(({ hubToken }) => hubToken)).toEqual(['header'])
  })

  test('is shared by all tabs of a session, over one connection', async () => {
    const before = (await hubUpgrades()).length
    const [one, two] = [openTab(), openTab()]
    await eventually(() => expect([one.state, two.state]).toEqual(['live', 'live']))
    await dispute.post('for both')
    await eventually(() => expect([one.shown.at(-1), two.shown.at(-1)]).toEqual(['for both', 'for both']))
    expect(await hubUpgrades()).toHaveLength(before + 1)
  })

  test('that the person may not see says so', async () => {
    const stranger = await signedIn(service, 'cleo@example.com', '00000000-0000-4000-8000-000000000013')
    const tab = openTab(stranger)
    await eventually(() =>
      expect(tab.events.at(-1)).toMatchObject({ type: 'status', status: { problem: { status: 404 } } }),
    )
    expect([tab.view, await viewers()]).toEqual([null, []])
    await endSession(stranger.id, 'signed-out')
  })

  test('is read-only once it is resolved', async () => {
    const tab = openTab()
    await eventually(() => expect(tab.state).toBe('live'))
    await dispute.resolve('Delivered.')
    await eventually(() => expect(tab.view?.readOnly).toBe(true))
    await eventually(() => expect(tab.view?.case).toMatchObject({ status: 'RESOLVED', resolutionReason: 'Delivered.' }))
    expect(tab.shown).toEqual(await dispute.thread())
  })
})

describe('when the hub connection breaks', () => {
  test('shows each message posted meanwhile once', async () => {
    const tab = openTab()
    await eventually(() => expect(tab.state).toBe('live'))
    await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 600 } })
    await dispute.post('while it was down')
    await eventually(() => expect(tab.state).toBe('polling'))
    await eventually(() => expect(tab.state).toBe('live'))
    await dispute.post('after it came back')
    await eventually(() => expect(tab.shown.at(-1)).toBe('after it came back'))
    expect(tab.shown).toEqual(await dispute.thread())
  })

  test('because the token expired, reconnects with a renewed one', async () => {
    const tab = openTab()
    await eventually(() => expect(tab.state).toBe('live'))
    await service.call('POST', '/sandbox/tokens/expire', { body: { userId: ARBITRATOR } })
    await eventually(() => expect(tab.state).not.toBe('live'))
    await dispute.post('with a new token')
    await eventually(() => expect(tab.state).toBe('live'))
    expect(tab.shown).toEqual(await dispute.thread())
  })

  test('for long, reads the case every five seconds', async () => {
    await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 60_000 } })
    const tab = openTab()
    await eventually(() => expect(tab.state).toBe('polling'))
    await dispute.post('without the hub')
    await eventually(() => expect(tab.shown.at(-1)).toBe('without the hub'))
    expect([tab.state, tab.shown]).toEqual(['polling', await dispute.thread()])
    // The next test needs the hub.
    await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 0 } })
  })

  test(`${BREAKS} times, shows each message once`, async () => {
    // Waits take a twentieth of their time, so that the reconnects fit into a test.
    const relay = openRelay(session, (ms, run) => schedule(ms / 20, run))
    let view: CaseView | null = null
    let states: LiveState[] = []
    let cuts = 0
    const close = relay.watch(dispute.id, (event) => {
      view = next(view, event)
      if (event.type === 'status') states.push(event.status.state)
    })
    const writing: Promise<unknown>[] = []
    for (let cut = 0; cut < BREAKS; cut += 1) {
      writing.push(dispute.post(`ana ${cut}`), dispute.post(`ben ${cut}`, 'ben'))
      // In some rounds the connection breaks again while missed messages are read. One that is back before a read ends
      // goes to live without another state.
      const reached = (['live', 'catching-up', 'polling'] as const)[cut % 3] ?? 'live'
      await eventually(() => expect(states.some((state) => state === reached || state === 'live')).toBe(true))
      states = []
      const { cut: connections } = await service.call('POST', '/sandbox/hub/drop', { body: { downMs: (cut % 5) * 20 } })
      cuts += Number(connections)
    }
    expect(cuts).toBeGreaterThan(0.6 * BREAKS)
    await Promise.all(writing)
    await eventually(() => expect(states.at(-1)).toBe('live'))
    const whole = await dispute.thread()
    expect(whole.length).toBeGreaterThanOrEqual(2 * BREAKS)
    await eventually(() => expect(view?.messages.map(({ body }) => body)).toEqual(whole))
    close()
    relay.stop()
  }, 120_000)
})

test('a hub that refuses every token ends no session', async () => {
  const hub = await TestHub.start()
  hub.rules.admit = () => 401
  await freshConsole({ CORE_API_URL: hub.url })
  const unrenewable = await withTokens(0.1, 'sso', '')
  const relay = openRelay(unrenewable, (ms, run) => schedule(ms / 20, run))
  relay.watch(dispute.id, () => {})
  await eventually(() => expect(hub.upgrades.length).toBeGreaterThan(2))
  expect(liveSessions().has(unrenewable.id)).toBe(true)
  relay.stop()
  await hub.stop()
})

describe('a stream ends', () => {
  test('with its session, and the viewer is gone', async () => {
    const tab = openTab()
    await eventually(() => expect(tab.state).toBe('live'))
    await eventually(async () => expect(await viewers()).toEqual([session.displayName]))
    await endSession(session.id, 'signed-out')
    await tab.ended
    await eventually(async () => expect(await viewers()).toEqual([]))
    expect(tab.events.at(-1)).toEqual({ type: 'closed', why: 'session-over' })
  })

  test('at once when its session has ended', async () => {
    await endSession(session.id, 'signed-out')
    const tab = openTab()
    await tab.ended
    expect(tab.events.at(-1)).toEqual({ type: 'closed', why: 'session-over' })
  })

  test('when the same session opens a seventh', async () => {
    const first = openTab()
    const others = Array.from({ length: 6 }, () => openTab())
    await first.ended
    expect(first.events.at(-1)).toEqual({ type: 'resync' })
    await eventually(() => expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['live'])))
  })
})
