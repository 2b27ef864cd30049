import { problemOf } from '#lib/contract/problem-of.ts'
import type { ThreadService } from '#lib/disputes/dispute-service.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { Result } from '#lib/service/client.ts'
import type { Hub, HubEventName, HubListener } from '#lib/stream/hub-connection.ts'
import type { Schedule } from '#lib/stream/schedule.ts'

export const CASE_ID = '00000000-0000-4000-8000-0000000c0001'
const OTHER_CASE_ID = '00000000-0000-4000-8000-0000000c0002'
const PERSON = '00000000-0000-4000-8000-000000000011'

/** How a service may behave where the interface is silent. */
export interface Behaviour {
  /** In which order it lists messages. `moving`: in another one every time. */
  readonly order: 'newest' | 'oldest' | 'moving'
  readonly pageSize: number
  /** How its hub spells property names. */
  readonly spelling: 'camel' | 'Pascal'
  /** Whether its hub leaves zeros off at the end of times. */
  readonly shortTimes: boolean
  readonly letsJoin: boolean
}

export const plainBehaviour: Behaviour = {
  order: 'oldest',
  pageSize: 100,
  spelling: 'camel',
  shortTimes: false,
  letsJoin: true,
}

/**
 * A service with one dispute case, its hub and the passing of time. Nothing happens by itself: a test decides what comes
 * next, so that every order of things can be tried.
 */
export class SimulatedDisputes {
  readonly waiting: Waiting[] = []
  readonly hub: SimulatedHub
  readonly #behaviour: Behaviour
  #posted: readonly ThreadMessage[] = []
  #elsewhere = 0
  #status: 'OPEN' | 'RESOLVED' = 'OPEN'
  #timers: { readonly at: number; readonly run: () => void }[] = []
  #now = 0
  #moves = 1

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour
    this.hub = new SimulatedHub(behaviour.letsJoin, this.waiting)
  }

  readonly schedule: Schedule = (ms, run) => {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  readonly service: ThreadService = {
    readCase: () => this.#read(() => this.case),
    readPage: (_caseId, page) =>
      this.#read(() => {
        const { pageSize } = this.#behaviour
        const messages = this.#listed().slice((page - 1) * pageSize, page * pageSize)
        return { messages, unreadable: 0, totalCount: this.#posted.length }
      }),
  }

  get case(): ThreadCase {
    const resolved = this.#status === 'RESOLVED'
    return {
      id: CASE_ID,
      referenceId: 'reference',
      raisedByUserId: PERSON,
      counterpartyUserId: PERSON,
      status: this.#status,
      reason: 'The goods did not come.',
      resolutionOutcome: resolved ? 'outcome' : null,
      resolutionReason: resolved ? 'reason' : null,
      resolvedByUserId: resolved ? PERSON : null,
      createdAt: '2026-07-01T10:00:00.0000000Z',
      resolvedAt: resolved ? '2026-07-01T11:00:00.0000000Z' : null,
    }
  }

  /** Every message that REST has, in order. */
  get thread(): readonly ThreadMessage[] {
    return this.#posted.toSorted((one, other) => (one.createdAt + one.id < other.createdAt + other.id ? -1 : 1))
  }

  /** Milliseconds until the next timer runs; null when there is none. */
  get nextTimer(): number | null {
    return this.#timers.length === 0 ? null : Math.min(...this.#timers.map(({ at }) => at)) - this.#now
  }

  /** Somebody writes. `late` messages bear the time of an earlier one, or one before it. */
  post({ late = 0, isSystemMessage = false } = {}): void {
    const number = this.#posted.length + 1
    const scattered = ((number * 7919) % 0xffff).toString(16).padStart(4, '0')
    const message: ThreadMessage = {
      id: `00000000-0000-4000-8000-${scattered}${String(number).padStart(8, '0')}`,
      senderUserId: isSystemMessage ? null : PERSON,
      isSystemMessage,
      body: `message ${number}`,
      createdAt: `2026-07-01T10:00:00.${String(1000 + (number - late) * 10).padStart(7, '0')}Z`,
    }
    this.#posted = [...this.#posted, message]
    const createdAt = this.#behaviour.shortTimes ? message.createdAt.replace(/0+Z$/, 'Z') : message.createdAt
    this.#send('MessagePosted', { ...message, createdAt, disputeCaseId: CASE_ID, mood: 'calm' }, message.id)
  }

  /** Somebody writes in another case, of which the same hub tells as well. */
  postElsewhere(): void {
    this.#elsewhere += 1
    const id = `00000000-0000-4000-8000-e${String(this.#elsewhere).padStart(11, '0')}`
    const message = { id, senderUserId: PERSON, isSystemMessage: false, body: 'elsewhere' }
    const createdAt = '2026-07-01T10:00:00.0001000Z'
    this.#send('MessagePosted', { ...message, createdAt, disputeCaseId: OTHER_CASE_ID }, null)
  }

  /** An event that does not fit the contract. */
  sendNonsense(): void {
    this.#send('MessagePosted', { text: 'nonsense' }, null)
  }

  resolve(): void {
    if (this.#status === 'RESOLVED') return
    this.#status = 'RESOLVED'
    this.post({ isSystemMessage: true })
    this.#send('CaseResolved', this.case, null)
  }

  /** Time passes until the next timer runs. */
  tick(): void {
    const [next] = this.#timers.toSorted((one, other) => one.at - other.at)
    if (next === undefined) return
    this.#now = next.at
    this.#timers = this.#timers.filter((other) => other !== next)
    next.run()
  }

  #listed(): readonly ThreadMessage[] {
    const { order } = this.#behaviour
    if (order === 'oldest') return this.thread
    if (order === 'newest') return this.thread.toReversed()
    return this.#posted
      .map((message) => ({ message, place: this.#move() }))
      .sort((one, other) => one.place - other.place)
      .map(({ message }) => message)
  }

  /** Numbers without a pattern, the same in every run. */
  #move(): number {
    this.#moves = (Math.imul(this.#moves, 1_103_515_245) + 12_345) >>> 0
    return this.#moves >>> 8
  }

  #read<Value>(look: () => Value): Promise<Result<Value>> {
    return new Promise((done) => {
      let served: Value | null = null
      const serve = () => {
        served ??= look()
        return served
      }
      this.waiting.push({
        serve,
        answer: () => done({ ok: true, value: serve(), serviceTime: null }),
        fail: () => done({ ok: false, problem: problemOf('unreachable') }),
        refuse: (status, retryAfterSeconds = null) =>
          done({ ok: false, problem: problemOf('service', { status, retryAfterSeconds }) }),
      })
    })
  }

  #send(name: 'MessagePosted' | 'CaseResolved', payload: object, messageId: string | null): void {
    const pascal = this.#behaviour.spelling === 'Pascal'
    this.hub.send(name, pascal ? withCapitals(payload) : payload, messageId)
  }
}

const withCapitals = (payload: object): object =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]),
  )

/** A call of ours that is not answered yet. It is carried out at one moment, and the answer comes at a later one. */
interface Waiting {
  serve(): void
  answer(): void
  fail(): void
  refuse(status: number, retryAfterSeconds?: number | null): void
}

interface Sent {
  readonly messageId: string | null
  deliver(): void
}

/** A dispute hub with one client. A test decides what happens next. */
class SimulatedHub {
  /** Sent, but not delivered. */
  readonly transit: Sent[] = []
  letsJoin: boolean
  readonly #waiting: Waiting[]
  #listener: HubListener | null = null
  #connection: number | null = null
  #connections = 0
  #firstAttempt = true
  #joined = false
  #earlierCalls: () => void = () => {}

  constructor(letsJoin: boolean, waiting: Waiting[]) {
    this.letsJoin = letsJoin
    this.#waiting = waiting
  }

  get up(): boolean {
    return this.#connection !== null
  }

  readonly open = (listener: HubListener): Hub => {
    const hub = this
    this.#listener = listener
    return {
      get connection() {
        return hub.#connection
      },
      get isFirstAttempt() {
        return hub.#firstAttempt
      },
      call: (method) => this.#call(method),
      stop: () => this.#cut(),
    }
  }

  connect(): void {
    if (this.#connection !== null || this.#listener === null) return
    this.#connections += 1
    this.#connection = this.#connections
    this.#firstAttempt = false
    this.#listener.connected()
  }

  /** Breaks the connection: undelivered events and joined cases are lost. Before a connection, the first attempt fails. */
  drop(): void {
    if (this.#connection === null && !this.#firstAttempt) return
    this.#firstAttempt = false
    this.#cut()
    this.#listener?.disconnected()
  }

  /** Sends an event to a client that has joined. */
  send(name: HubEventName, payload: object, messageId: string | null): void {
    const listener = this.#listener
    if (!this.#joined || listener === null) return
    this.transit.push({ messageId, deliver: () => listener.received(name, payload) })
  }

  #cut(): void {
    this.#connection = null
    this.#joined = false
    this.transit.length = 0
  }

  /** Runs the calls of one connection in order. */
  #call(method: string): Promise<boolean> {
    const connection = this.#connection
    const earlier = this.#earlierCalls
    let served = false
    const serve = () => {
      earlier()
      if (served || connection === null || connection !== this.#connection) return
      served = true
      this.#joined = method === 'JoinCase' && this.letsJoin
    }
    this.#earlierCalls = serve
    return new Promise((done) => {
      this.#waiting.push({
        serve,
        answer: () => {
          serve()
          done(served && this.letsJoin)
        },
        fail: () => done(false),
        refuse: () => done(false),
      })
    })
  }
}
