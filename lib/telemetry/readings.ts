import 'server-only'
import { Gauge, type Registry } from 'prom-client'

export interface Readings {
  openCommands(): Promise<readonly OpenCommands[]>
  policyVersion(): string | null
  /** The highest use by any person. */
  limitUse(): Promise<readonly HighestUse[]>
  storeIsReady(): Promise<boolean>
  streams(): number
  hubConnections(): Readonly<Record<'connected' | 'away', number>>
  storePool(): Promise<Readonly<Record<'idle' | 'used' | 'waiting', number>> | null>
}

export interface OpenCommands {
  readonly state: string
  readonly count: number
  /** ISO 8601. */
  readonly oldestSentAt: string | null
}

export interface HighestUse {
  readonly kind: string
  readonly of: 'sum' | 'count'
  /** 1 means used up. */
  readonly share: number
}

const WITHIN_MS = 3_000

/** An unreadable value is left out: a zero would look healthy. */
export function registerReadings(registry: Registry, readings: Readings): void {
  const registers = [registry]
  registerOpenCommands(registry, readings)
  registerPolicy(registry, readings)
  new Gauge({
    name: 'console_store_ready',
    help: 'Whether the store takes a row and gives it back: 1, or 0.',
    registers,
    async collect() {
      this.set((await inTime(readings.storeIsReady())) === true ? 1 : 0)
    },
  })
  new Gauge({
    name: 'console_store_pool_connections',
    help: 'Connections of the pool by state, and requests waiting for one. Not there with the embedded store.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset()
      for (const [state, count] of Object.entries((await inTime(readings.storePool())) ?? {}))
        this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'console_streams_open',
    help: 'Open event streams to browsers.',
    registers,
    collect() {
      this.set(readings.streams())
    },
  })
  new Gauge({
    name: 'console_hub_connections',
    help: 'Lines to the hub of the service, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(readings.hubConnections())) this.set({ state }, count)
    },
  })
}

function registerOpenCommands(registry: Registry, readings: Readings): void {
  let running: Promise<readonly OpenCommands[] | null> | null = null
  const read = async (): Promise<readonly OpenCommands[]> => {
    running ??= inTime(readings.openCommands()).finally(() => {
      running = null
    })
    return (await running) ?? []
  }
  new Gauge({
    name: 'console_commands_open',
    help: 'Commands in a state that is no end. Those in unknown have an end that is not known.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const all = await read()
      this.reset()
      for (const { state, count } of all) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'console_commands_open_oldest_age_seconds',
    help: 'Age of the oldest command in a state that is no end, since it was sent.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const all = await read()
      this.reset()
      for (const { state, oldestSentAt: at } of all)
        this.set({ state }, at === null ? 0 : Math.max(0, (Date.now() - Date.parse(at)) / 1000))
    },
  })
}

function registerPolicy(registry: Registry, readings: Readings): void {
  new Gauge({
    name: 'console_policy_info',
    help: 'Always 1; the label is the SHA-256 of the policy, or none. All processes of a store should have the same.',
    labelNames: ['version'],
    registers: [registry],
    collect() {
      this.reset()
      this.set({ version: readings.policyVersion() ?? 'none' }, 1)
    },
  })
  new Gauge({
    name: 'console_limit_used_ratio',
    help: 'The highest share of a limit that a person has used in the last 24 hours, by kind; 1 is all of it.',
    labelNames: ['kind', 'of'],
    registers: [registry],
    async collect() {
      const uses = (await inTime(readings.limitUse())) ?? []
      this.reset()
      for (const { kind, of, share } of uses) this.set({ kind, of }, share)
    },
  })
}

async function inTime<Value>(reading: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, WITHIN_MS, null)
  })
  return await Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer))
}
