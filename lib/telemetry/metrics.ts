import 'server-only'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { putPerProcess } from '#lib/config/per-process.ts'
import { BUILT_FILE, METHODS, OTHER } from './observe-requests.ts'
import type { Meters } from './spans.ts'

/** Other values count as `other`. */
export interface KnownLabels {
  readonly routes: readonly string[]
  readonly endpoints: readonly string[]
  readonly kinds: readonly string[]
  readonly states: readonly string[]
  readonly denials: readonly string[]
  readonly approvalRefusals: readonly string[]
}

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none']
/** Others count by class. */
const SERVICE_STATUSES = [200, 201, 202, 204, 400, 401, 403, 404, 409, 423, 429, 500, 502, 503, 504].map(String)
const SERVICE_RESULTS = [...SERVICE_STATUSES, 'lost', 'not-sent']
const REFRESH_RESULTS = ['refreshed', 'over', 'refused', 'unavailable']
const STEP_UP_RESULTS = ['verify', 'reject', 'lock', 'not-known']
/** `wait`: not tried. `busy`: rarely tried. */
const PASSWORD_RESULTS = ['right', 'wrong', 'forbidden', 'locked', 'unavailable', 'wait', 'busy']
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const among = (list: readonly string[]) => {
  const known = new Set(list)
  return (value: string): string => (known.has(value) ? value : OTHER)
}

export function startMetrics(labels: KnownLabels, readings: Readings): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registerReadings(registry, readings)
  const own: Meters = { ...requestMeters(registry, labels), ...changeMeters(registry, labels) }
  putPerProcess('meters', own)
  putPerProcess('metrics', registry)
  return registry
}

const counterOf = (registry: Registry) => (name: string, help: string, labelNames: readonly string[]) =>
  new Counter({ name, help, labelNames: [...labelNames], registers: [registry] })

const histogramOf = (registry: Registry) => (name: string, help: string, labelNames: readonly string[]) =>
  new Histogram({ name, help, labelNames: [...labelNames], buckets: SECONDS, registers: [registry] })

function requestMeters(registry: Registry, known: KnownLabels): Pick<Meters, 'request' | 'serviceCall'> {
  const [counter, histogram] = [counterOf(registry), histogramOf(registry)]
  const requests = counter(
    'console_http_requests_total',
    'Requests to the console that have ended, by template of the route, method and class of the status.',
    ['route', 'method', 'status'],
  )
  const requestSeconds = histogram(
    'console_http_request_duration_seconds',
    'From a request to the end of its answer. That of /api/stream ends with the stream.',
    ['route', 'method'],
  )
  const calls = counter(
    'console_service_calls_total',
    'Requests to the service, by endpoint and status; lost: no whole answer came, not-sent: no connection was made.',
    ['endpoint', 'status'],
  )
  const callSeconds = histogram(
    'console_service_call_duration_seconds',
    'From a request to the service to its whole answer.',
    ['endpoint'],
  )
  const [routeIn, endpointIn] = [among([...known.routes, BUILT_FILE]), among(known.endpoints)]
  const [methodIn, classIn, exactIn] = [among(METHODS), among(STATUS_CLASSES), among(SERVICE_RESULTS)]
  const statusIn = (status: string) => (exactIn(status) === OTHER ? classIn(`${status[0]}xx`) : status)
  return {
    request(route, method, status, seconds) {
      const labels = { route: routeIn(route), method: methodIn(method) }
      requests.inc({ ...labels, status: classIn(status) })
      requestSeconds.observe(labels, seconds)
    },
    serviceCall(endpoint, status, seconds) {
      calls.inc({ endpoint: endpointIn(endpoint), status: statusIn(status) })
      callSeconds.observe({ endpoint: endpointIn(endpoint) }, seconds)
    },
  }
}

function changeMeters(registry: Registry, known: KnownLabels): Omit<Meters, 'request' | 'serviceCall'> {
  const counter = counterOf(registry)
  const commands = counter('console_commands_total', 'Commands that came into a state, by kind.', ['kind', 'state'])
  const denials = counter('console_policy_denials_total', 'Changes that the policy stopped, by kind and why.', [
    'kind',
    'why',
  ])
  const refreshes = counter('console_token_refreshes_total', 'Tokens renewed, by way of signing in and result.', [
    'method',
    'result',
  ])
  const stepUps = counter('console_step_ups_total', 'Authenticator codes for a change, by what came of them.', [
    'result',
  ])
  const passwords = counter('console_password_sign_ins_total', 'Passwords at sign-in, by what came of them.', [
    'result',
  ])
  const refusals = counter('console_approvals_refused_total', 'Decisions by people who may not decide, by why.', [
    'why',
  ])
  const refused = counter('console_connections_refused_total', 'Connections over a bound that got 503.', [])
  const spans = counter('console_spans_total', 'Spans that the collector took, and those that were lost.', ['result'])
  // Prometheus sees an increase only from an existing zero. Commands have too many label pairs for this.
  for (const result of REFRESH_RESULTS) for (const method of ['sso', 'password']) refreshes.inc({ method, result }, 0)
  for (const result of STEP_UP_RESULTS) stepUps.inc({ result }, 0)
  for (const result of PASSWORD_RESULTS) passwords.inc({ result }, 0)
  for (const why of known.approvalRefusals) refusals.inc({ why }, 0)
  for (const result of ['exported', 'lost']) spans.inc({ result }, 0)
  const [kindIn, stateIn] = [among(known.kinds), among(known.states)]
  const [denialIn, refusalIn] = [among(known.denials), among(known.approvalRefusals)]
  const [refreshIn, stepUpIn] = [among(REFRESH_RESULTS), among(STEP_UP_RESULTS)]
  const passwordIn = among(PASSWORD_RESULTS)
  return {
    command: (kind, state) => commands.inc({ kind: kindIn(kind), state: stateIn(state) }),
    denial: (kind, why) => denials.inc({ kind: kindIn(kind), why: denialIn(why) }),
    tokenRefresh: (method, result) => refreshes.inc({ method, result: refreshIn(result) }),
    stepUp: (result) => stepUps.inc({ result: stepUpIn(result) }),
    passwordSignIn: (result) => passwords.inc({ result: passwordIn(result) }),
    approvalRefused: (why) => refusals.inc({ why: refusalIn(why) }),
    connectionRefused: () => refused.inc(),
    spans: (result, count) => spans.inc({ result }, count),
  }
}

export interface Readings {
  openCommands(): Promise<readonly OpenCommands[]>
  policyVersion(): string | null
  /** Of the oldest event without a place in the signed log. */
  journalWaitSeconds(): Promise<number>
  /** Since the witness's latest confirmation; null without a witness. */
  witness(): Promise<{ readonly lagSeconds: number; readonly isConflict: boolean } | null>
  auditSink(): Promise<{ readonly waitingEntries: number; readonly lagSeconds: number } | null>
  /** The highest use by any person. */
  limitUse(): Promise<readonly HighestUse[]>
  storeIsReady(): Promise<boolean>
  streams(): number
  hubConnections(): Readonly<Record<'connected' | 'away', number>>
  storePool(): Promise<Readonly<Record<'idle' | 'used' | 'waiting', number>> | null>
}

interface OpenCommands {
  readonly state: string
  readonly count: number
  /** ISO 8601. */
  readonly oldestAt: string | null
}

interface HighestUse {
  readonly kind: string
  readonly of: 'sum' | 'count'
  /** 1 means used up. */
  readonly share: number
}

const WITHIN_MS = 3_000

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

const gaugeOf =
  (registry: Registry) =>
  (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const samples = await read()
        this.reset()
        // Without labels, `reset` leaves a zero.
        if (labelNames.length === 0) this.remove()
        for (const [labels, value] of samples) this.set(labels, value)
      },
    })

const byState = (counts: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(counts).map(([state, count]) => [{ state }, count])

/** An unreadable value is left out: a zero would look healthy. */
function registerReadings(registry: Registry, readings: Readings): void {
  const gauge = gaugeOf(registry)
  registerOpenCommands(registry, readings)
  gauge(
    'console_policy_info',
    'Always 1; the label is the SHA-256 of the policy, or none. All processes of a store should have the same.',
    ['version'],
    () => [[{ version: readings.policyVersion() ?? 'none' }, 1]],
  )
  gauge(
    'console_limit_used_ratio',
    'The highest share of a limit that a person has used in the last 24 hours, by kind; 1 is all of it.',
    ['kind', 'of'],
    async () => ((await inTime(readings.limitUse())) ?? []).map(({ kind, of, share }) => [{ kind, of }, share]),
  )
  const plainGauge = (name: string, help: string, read: () => Promise<number | boolean | undefined>) =>
    gauge(name, help, [], async () => {
      const value = (await inTime(read())) ?? null
      return value === null ? [] : [[{}, Number(value)]]
    })
  plainGauge(
    'console_journal_wait_seconds',
    'How long the oldest event without a place in the signed log has waited; 0 if there is none.',
    () => readings.journalWaitSeconds(),
  )
  plainGauge(
    'console_witness_lag_seconds',
    'Time since the latest confirmation of the signed log by the witness. Not there without a witness.',
    async () => (await readings.witness())?.lagSeconds,
  )
  plainGauge(
    'console_witness_conflict',
    'Whether the witness confirmed a log that this store does not have: 1, or 0. Changes are refused then.',
    async () => (await readings.witness())?.isConflict,
  )
  plainGauge(
    'console_audit_sink_waiting_entries',
    'Entries of the signed log that are not delivered to AUDIT_SINK. Not there without a sink.',
    async () => (await readings.auditSink())?.waitingEntries,
  )
  plainGauge(
    'console_audit_sink_lag_seconds',
    'Age of the oldest entry that is not delivered to AUDIT_SINK; 0 if there is none. Not there without a sink.',
    async () => (await readings.auditSink())?.lagSeconds,
  )
  gauge('console_store_ready', 'Whether the store takes a row and gives it back: 1, or 0.', [], async () => [
    [{}, (await inTime(readings.storeIsReady())) === true ? 1 : 0],
  ])
  gauge(
    'console_store_pool_connections',
    'Connections of the pool by state, and requests waiting for one. Not there with the embedded store.',
    ['state'],
    async () => byState((await inTime(readings.storePool())) ?? {}),
  )
  gauge('console_streams_open', 'Open event streams to browsers.', [], () => [[{}, readings.streams()]])
  gauge('console_hub_connections', 'Lines to the hub of the service, by state.', ['state'], () =>
    byState(readings.hubConnections()),
  )
}

function registerOpenCommands(registry: Registry, readings: Readings): void {
  let running: Promise<readonly OpenCommands[] | null> | null = null
  const read = async (): Promise<readonly OpenCommands[]> => {
    running ??= inTime(readings.openCommands()).finally(() => {
      running = null
    })
    return (await running) ?? []
  }
  const ageOf = (sentAt: string | null) => (sentAt === null ? 0 : Math.max(0, (Date.now() - Date.parse(sentAt)) / 1000))
  const gauge = gaugeOf(registry)
  gauge(
    'console_commands_open',
    'Commands in a state that is no end. Those in unknown have an end that is not known.',
    ['state'],
    async () => (await read()).map(({ state, count }) => [{ state }, count]),
  )
  gauge(
    'console_commands_open_oldest_age_seconds',
    'Age of the oldest command in a state that is no end, since it was sent.',
    ['state'],
    async () => (await read()).map(({ state, oldestAt }) => [{ state }, ageOf(oldestAt)]),
  )
}

async function inTime<Value>(reading: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((done) => {
    timer = setTimeout(done, WITHIN_MS, null)
  })
  return await Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer))
}
