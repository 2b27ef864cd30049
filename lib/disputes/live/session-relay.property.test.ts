import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LONG } from '#lib/testing/runs.ts'
import { type Behaviour, CASE_ID, SimulatedDisputes } from '#lib/testing/simulated-disputes.ts'
import { applyEvent, type CaseEvent, type CaseView } from './case-stream.ts'
import { SessionRelay } from './session-relay.ts'

/** A tab that shows the case. */
class Tab {
  view: CaseView | null = null
  /** The most messages that it has shown so far. */
  most = 0
  resolved = false
  readonly close: () => void

  constructor(relay: SessionRelay) {
    this.close = relay.watch(CASE_ID, (event) => this.#take(event))
  }

  #take(event: CaseEvent): void {
    if (this.view !== null) this.view = applyEvent(this.view, event)
    else if (event.type === 'snapshot') {
      const { case: found, readOnly, messages } = event
      this.view = { case: found, readOnly, messages, status: { state: 'catching-up', unreadable: 0, problem: null } }
    }
  }
}

const TABS_MAX = 3

class World {
  readonly disputes: SimulatedDisputes
  readonly relay: SessionRelay
  readonly tabs: Tab[] = []
  /** Ids of messages that the hub lost. */
  readonly lost = new Set<string>()

  constructor(behaviour: Behaviour) {
    this.disputes = new SimulatedDisputes(behaviour)
    const { hub, service, schedule } = this.disputes
    this.relay = new SessionRelay({ openHub: hub.open, service, schedule })
    this.open()
  }

  open(): void {
    if (this.tabs.length < TABS_MAX) this.tabs.push(new Tab(this.relay))
  }
}

function take<Item>(items: Item[], pick: number): Item | undefined {
  return items.splice(pick % Math.max(1, items.length), 1)[0]
}

function look<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)]
}

/** Everything that can happen next. */
const happenings = {
  post: ({ disputes }, pick) => disputes.post({ late: pick % 4 }),
  postBySystem: ({ disputes }) => disputes.post({ isSystemMessage: true }),
  postElsewhere: ({ disputes }) => disputes.postElsewhere(),
  sendNonsense: ({ disputes }) => disputes.sendNonsense(),
  resolve: ({ disputes }) => disputes.resolve(),
  deliver: ({ disputes }, pick) => take(disputes.hub.transit, pick)?.deliver(),
  deliverTwice: ({ disputes }, pick) => look(disputes.hub.transit, pick)?.deliver(),
  lose: ({ disputes, lost }, pick) => lost.add(take(disputes.hub.transit, pick)?.messageId ?? ''),
  serve: ({ disputes }, pick) => look(disputes.waiting, pick)?.serve(),
  answer: ({ disputes }, pick) => take(disputes.waiting, pick)?.answer(),
  fail: ({ disputes }, pick) => take(disputes.waiting, pick)?.fail(),
  connect: ({ disputes }) => disputes.hub.connect(),
  drop: ({ disputes }) => disputes.hub.drop(),
  tick: ({ disputes }) => disputes.tick(),
  openTab: (world) => world.open(),
  closeTab: ({ tabs }, pick) => take(tabs, pick)?.close(),
} as const satisfies Record<string, (world: World, pick: number) => unknown>

type Happening = keyof typeof happenings

const happening = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(happenings) as Happening[])) },
  // Without these nothing ever gets anywhere.
  { weight: 2, arbitrary: fc.constantFrom<Happening>('post', 'deliver', 'serve', 'answer', 'answer', 'connect') },
)

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  order: fc.constantFrom('newest', 'oldest', 'moving'),
  pageSize: fc.integer({ min: 1, max: 4 }),
  spelling: fc.constantFrom('camel', 'Pascal'),
  shortTimes: fc.boolean(),
  letsJoin: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
})

/** Runs everything that waits for a promise. */
async function runOn(): Promise<void> {
  for (let turn = 0; turn < 15; turn += 1) await null
}

const ROUNDS = 40
const STEPS_MAX = 100

/** Delivers and answers everything, and runs timers, until nothing is left. */
async function comeToRest(world: World): Promise<void> {
  const { disputes, tabs } = world
  if (tabs.length === 0) world.open()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let step = 0; step < STEPS_MAX && disputes.waiting.length + disputes.hub.transit.length > 0; step += 1) {
      take(disputes.hub.transit, 0)?.deliver()
      take(disputes.waiting, 0)?.answer()
      await runOn()
    }
    disputes.tick()
    await runOn()
  }
}

function expectSound({ disputes, tabs, lost }: World): void {
  const there = disputes.thread.map(({ id }) => id)
  for (const tab of tabs) {
    if (tab.view === null) continue
    const { case: found, readOnly, messages, status } = tab.view
    const shown = messages.map(({ id }) => id)
    // In order, each once, and nothing that REST does not have.
    expect(shown).toEqual(there.filter((id) => shown.includes(id)))
    // Nothing goes away again, and no case is opened again.
    expect(shown.length).toBeGreaterThanOrEqual(tab.most)
    tab.most = shown.length
    tab.resolved ||= found.status === 'RESOLVED'
    expect([found.status, readOnly]).toEqual(tab.resolved ? ['RESOLVED', true] : ['OPEN', false])
    if (status.state !== 'live') continue
    // While live, a message that is not shown is in transit, or the hub has lost it.
    expect(disputes.hub.up).toBe(true)
    const coming = new Set([...lost, ...disputes.hub.transit.map(({ messageId }) => messageId)])
    expect(there.filter((id) => !shown.includes(id) && !coming.has(id))).toEqual([])
  }
}

test('a thread shows what REST returns, each message once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      behaviour,
      fc.array(fc.tuple(happening, fc.nat(1000)), { maxLength: 60 }),
      async (given, story) => {
        const world = new World(given)
        for (const [next, pick] of story) {
          happenings[next](world, pick)
          await runOn()
          expectSound(world)
        }
        await comeToRest(world)
        expectSound(world)
        const { disputes, tabs } = world
        for (const { view } of tabs) {
          expect(view?.messages).toEqual(disputes.thread)
          expect(view?.case).toEqual(disputes.case)
          expect(view?.readOnly).toBe(disputes.case.status === 'RESOLVED')
          expect(view?.status.state).toBe(disputes.hub.up && given.letsJoin ? 'live' : 'polling')
        }
      },
    ),
    { numRuns: LONG ? 10_000 : 2_000 },
  )
}, 300_000)
