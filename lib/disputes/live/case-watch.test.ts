import { describe, expect, test, vi } from 'vitest'
import { type Behaviour, CASE_ID, plainBehaviour, SimulatedDisputes } from '#lib/testing/simulated-disputes.ts'
import type { CaseEvent } from './case-stream.ts'
import { SessionRelay } from './session-relay.ts'

async function runOn(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await null
}

/** A case with one message that one tab shows. */
function openCase(behaviour: Partial<Behaviour> = {}) {
  const disputes = new SimulatedDisputes({ ...plainBehaviour, ...behaviour })
  disputes.post()
  const relay = new SessionRelay({
    openHub: disputes.hub.open,
    service: disputes.service,
    schedule: disputes.schedule,
  })
  const received: string[] = []
  const close = relay.watch(CASE_ID, (event) => received.push(inShort(event)))
  return {
    disputes,
    relay,
    close,
    /** New events, in short. */
    events: () => received.splice(0),
    async answerAll() {
      await runOn()
      while (disputes.waiting.length > 0) {
        disputes.waiting.shift()?.answer()
        await runOn()
      }
    },
    async failAll() {
      await runOn()
      for (const waiting of disputes.waiting.splice(0)) waiting.fail()
      await runOn()
    },
    async refuseAll(status: number, retryAfterSeconds?: number) {
      await runOn()
      for (const waiting of disputes.waiting.splice(0)) waiting.refuse(status, retryAfterSeconds)
      await runOn()
    },
    async deliverAll() {
      for (const sent of disputes.hub.transit.splice(0)) sent.deliver()
      await runOn()
    },
  }
}

function inShort(event: CaseEvent): string {
  if (event.type === 'status')
    return event.status.problem === null ? event.status.state : `${event.status.state}: problem`
  if (event.type === 'case') return `case ${event.case.status}${event.readOnly ? ', read-only' : ''}`
  return `${event.type} of ${event.messages.length}`
}

/** A case that is live. */
async function liveCase(behaviour: Partial<Behaviour> = {}) {
  const opened = openCase(behaviour)
  opened.disputes.hub.connect()
  await opened.answerAll()
  opened.events()
  return opened
}

describe('opening a case', () => {
  test('joins first and reads afterwards, once', async () => {
    const { disputes, events, answerAll } = openCase()
    expect(disputes.waiting).toHaveLength(0)
    disputes.hub.connect()
    expect(disputes.waiting).toHaveLength(1)
    disputes.waiting.shift()?.answer()
    await runOn()
    // The case, and the first page.
    expect(disputes.waiting).toHaveLength(2)
    await answerAll()
    expect(events()).toEqual(['catching-up', 'snapshot of 1', 'live'])
  })

  test('does not wait for a hub that is silent', async () => {
    const { disputes, events, answerAll } = openCase()
    expect(disputes.nextTimer).toBe(3_000)
    disputes.tick()
    await answerAll()
    expect(events()).toEqual(['catching-up', 'snapshot of 1', 'polling'])
    expect(disputes.nextTimer).toBe(5_000)
  })

  test('does not wait for a hub that is down', async () => {
    const { disputes, events, answerAll } = openCase()
    disputes.hub.drop()
    await answerAll()
    expect(events()).toEqual(['catching-up', 'snapshot of 1', 'polling'])
  })

  test('sends a second tab the snapshot without a read', async () => {
    const { disputes, relay } = await liveCase()
    const received: string[] = []
    relay.watch(CASE_ID, (event) => received.push(inShort(event)))
    expect(received).toEqual(['snapshot of 1', 'live'])
    expect(disputes.waiting).toHaveLength(0)
  })

  test('gives a second tab the time of the read', async () => {
    const { relay } = await liveCase()
    const afterRead = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: afterRead + 60_000 })
    const times: string[] = []
    relay.watch(CASE_ID, (_event, readAt) => times.push(readAt))
    vi.useRealTimers()
    expect(times.map((time) => Date.parse(time) <= afterRead)).toEqual([true, true])
  })

  test('counts messages that the service counts and does not return', async () => {
    const { disputes, answerAll } = openCase()
    const readPage: typeof disputes.service.readPage = async (...which) => {
      const read = await disputes.service.readPage(...which)
      return read.ok ? { ...read, value: { ...read.value, totalCount: 3 } } : read
    }
    const relay = new SessionRelay({
      openHub: disputes.hub.open,
      service: { ...disputes.service, readPage },
      schedule: disputes.schedule,
    })
    const counts: number[] = []
    relay.watch(CASE_ID, (event) => (event.type === 'status' ? counts.push(event.status.unreadable) : null))
    disputes.hub.connect()
    await answerAll()
    expect(counts).toEqual([0, 2])
  })

  test('shows within a minute a message that becomes readable', async () => {
    const { disputes, answerAll } = openCase({ pageSize: 1 })
    disputes.post()
    let isReadable = false
    const readPage: typeof disputes.service.readPage = async (caseId, page) => {
      const read = await disputes.service.readPage(caseId, page)
      if (isReadable || page !== 2 || !read.ok) return read
      return { ...read, value: { ...read.value, messages: [], unreadable: 1 } }
    }
    const relay = new SessionRelay({
      openHub: disputes.hub.open,
      service: { ...disputes.service, readPage },
      schedule: disputes.schedule,
    })
    const events: CaseEvent[] = []
    relay.watch(CASE_ID, (event) => events.push(event))
    disputes.hub.connect()
    await answerAll()
    expect(events.at(-1)).toMatchObject({ status: { state: 'live', unreadable: 1 } })
    isReadable = true
    // One check for each relay.
    disputes.tick()
    disputes.tick()
    await answerAll()
    expect(events.at(-1)).toMatchObject({ status: { state: 'live', unreadable: 0 } })
    expect(events.at(-2)).toMatchObject({ messages: [disputes.thread[1]] })
  })

  test('reports a failed read, and tries again', async () => {
    const { disputes, events, answerAll, failAll } = openCase()
    disputes.hub.drop()
    await failAll()
    expect(events()).toEqual(['catching-up', 'polling: problem'])
    disputes.tick()
    await answerAll()
    expect(events()).toEqual(['snapshot of 1', 'polling'])
  })
})

test.each([
  [undefined, 5_000],
  [30, 30_000],
  [3_000_000, 60_000],
])('after Retry-After %j it is read in %i ms', async (seconds, ms) => {
  const { disputes, refuseAll } = openCase()
  disputes.hub.drop()
  await refuseAll(429, seconds)
  expect(disputes.nextTimer).toBe(ms)
})

describe('a live case', () => {
  test('sends a message once, however often the hub does', async () => {
    const { disputes, events, deliverAll } = await liveCase()
    disputes.post()
    disputes.hub.transit[0]?.deliver()
    await deliverAll()
    expect(events()).toEqual(['messages of 1'])
  })

  test('reads within a minute a message that the hub lost', async () => {
    const { disputes, events, answerAll } = await liveCase()
    disputes.post()
    disputes.hub.transit.length = 0
    expect(disputes.nextTimer).toBe(60_000)
    disputes.tick()
    await answerAll()
    expect(events()).toEqual(['messages of 1'])
  })

  test('reads again after an event that does not fit the contract', async () => {
    const { disputes, events, answerAll, deliverAll } = await liveCase()
    disputes.post()
    disputes.hub.transit.length = 0
    disputes.sendNonsense()
    await deliverAll()
    await answerAll()
    expect(events()).toEqual(['messages of 1'])
  })

  test('catches up after each reconnect', async () => {
    const { disputes, events, answerAll } = await liveCase()
    disputes.hub.drop()
    disputes.post()
    expect(events()).toEqual(['polling'])
    disputes.hub.connect()
    expect(events()).toEqual(['catching-up'])
    await answerAll()
    expect(events()).toEqual(['messages of 1', 'live'])
  })

  test('is read every five seconds while the hub is away', async () => {
    const { disputes, events, answerAll } = await liveCase()
    disputes.hub.drop()
    disputes.post()
    expect(disputes.nextTimer).toBe(5_000)
    disputes.tick()
    await answerAll()
    expect(events()).toEqual(['polling', 'messages of 1'])
  })
})

describe('a case that is resolved', () => {
  test('is read-only at once, and read again', async () => {
    const { disputes, events, answerAll, deliverAll } = await liveCase()
    disputes.resolve()
    await deliverAll()
    expect(events()).toEqual(['messages of 1', 'case RESOLVED, read-only'])
    await answerAll()
    expect(events()).toEqual([])
  })

  test('stays so when an earlier read ends', async () => {
    const { disputes, events, answerAll, deliverAll } = await liveCase()
    disputes.tick()
    await runOn()
    for (const waiting of disputes.waiting) waiting.serve()
    disputes.resolve()
    await deliverAll()
    await answerAll()
    expect(events()).toEqual(['messages of 1', 'case RESOLVED, read-only'])
  })

  test('is found by its system message alone', async () => {
    const { disputes, events, answerAll } = await liveCase()
    disputes.resolve()
    disputes.hub.transit.shift()?.deliver()
    disputes.hub.transit.length = 0
    await answerAll()
    expect(events()).toEqual(['messages of 1', 'case RESOLVED, read-only'])
  })
})

describe('a hub that refuses', () => {
  test('is asked again after a minute of reads', async () => {
    const { disputes, events, answerAll } = await liveCase({ letsJoin: false })
    disputes.hub.letsJoin = true
    for (let reading = 0; reading < 12; reading += 1) {
      expect(disputes.nextTimer).toBe(5_000)
      disputes.tick()
      await runOn()
      expect(disputes.waiting).toHaveLength(2)
      await answerAll()
    }
    expect(events()).toEqual([])
    disputes.tick()
    await answerAll()
    expect(events()).toEqual(['live'])
  })
})

describe('a case without viewers', () => {
  test('is left; the connection is kept for a minute', async () => {
    const { disputes, relay, close, answerAll } = await liveCase()
    close()
    await answerAll()
    expect(disputes.nextTimer).toBe(60_000)
    disputes.post()
    expect(disputes.hub.transit).toEqual([])
    const received: string[] = []
    const closeAgain = relay.watch(CASE_ID, (event) => received.push(inShort(event)))
    await answerAll()
    expect(received).toEqual(['catching-up', 'snapshot of 2', 'live'])
    closeAgain()
    await answerAll()
    disputes.tick()
    expect(disputes.hub.up).toBe(false)
    expect(disputes.nextTimer).toBeNull()
  })

  test('is watched on while another tab shows it', async () => {
    const { disputes, relay, close, deliverAll } = await liveCase()
    const received: string[] = []
    relay.watch(CASE_ID, (event) => received.push(inShort(event)))
    close()
    disputes.post()
    await deliverAll()
    expect(received).toEqual(['snapshot of 1', 'live', 'messages of 1'])
  })

  test('of an ended session is not read', async () => {
    const { disputes, relay, events, answerAll } = await liveCase()
    disputes.tick()
    relay.stop()
    await answerAll()
    expect(events()).toEqual([])
    expect(disputes.nextTimer).toBeNull()
    expect(disputes.hub.up).toBe(false)
  })
})

describe('a case that the person may no longer see', () => {
  test.each([403, 404])('sends only its status after a %s', async (status) => {
    const { disputes, relay, events, answerAll, refuseAll, deliverAll } = await liveCase()
    disputes.post()
    disputes.tick()
    await refuseAll(status)
    expect(events()).toEqual(['polling: problem'])
    await deliverAll()
    const received: string[] = []
    relay.watch(CASE_ID, (event) => received.push(inShort(event)))
    expect([events(), received]).toEqual([[], ['polling: problem']])
    await answerAll()
    disputes.post()
    expect(disputes.hub.transit).toHaveLength(0)
  })

  test('is joined again only after a successful read', async () => {
    const { disputes, events, answerAll, refuseAll } = await liveCase()
    disputes.tick()
    await refuseAll(404)
    await answerAll()
    disputes.post()
    disputes.tick()
    await refuseAll(404)
    disputes.post()
    expect(disputes.hub.transit).toHaveLength(0)
    events()
    disputes.tick()
    await answerAll()
    expect(events()).toEqual(['snapshot of 3', 'catching-up', 'live'])
    disputes.post()
    expect(disputes.hub.transit).toHaveLength(1)
  })
})
