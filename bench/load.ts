import { setTimeout as wait } from 'node:timers/promises'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { manyUsers } from '#sandbox/seed/many-users.ts'
import { emailOf, userIdEndingIn } from '#sandbox/seed/people.ts'
import { buildIfStale } from '../scripts/build.ts'
import { atOnce } from './at-once.ts'
import { CLIENTS, Client } from './client.ts'
import { atMost, handOver, type Row, told } from './hand-over.ts'
import { LoadFaults } from './load-faults.ts'
import { countOpen, countWrongs } from './load-judge.ts'
import { LoadOperator, type LoadWork } from './load-operator.ts'
import { LoadTally } from './load-tally.ts'
import { hire, type LoadWorld, startLoadWorld } from './load-world.ts'
import { machineTimes } from './machine.ts'
import { median, quantile } from './measure.ts'
import { ARBITRATOR, OPERATOR } from './measured-pages.ts'
import { print } from './print.ts'
import { canReadCost, costOf } from './process-cost.ts'

const MINUTES = 10
const CONSOLES = 2
const OPERATORS = 200
/** More than they can use up in a minute. */
const DEPOSITS_A_MINUTE = 300
const CARDS_A_MINUTE = 160
/** Each console takes eight at once. */
const SIGN_INS_AT_ONCE = 8
const CASES = 100
const SAMPLE_MS = 5_000
const FLAT = 1.1

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`

/**
 * `npm run bench -- load [MINUTES]`: 200 people at work at two consoles, ten minutes long, while five per cent of the service's
 * answers are spoilt. Told is what each minute was like, and what must not be. Asserts nothing.
 */
async function bench(minutes: number): Promise<void> {
  if (!canReadCost()) return print('not measured here, there is no /proc')
  await buildIfStale()
  const world = await startLoadWorld(CONSOLES)
  try {
    await run(world, minutes)
  } finally {
    await world.stop()
  }
}

async function run(world: LoadWorld, minutes: number): Promise<void> {
  const staff = await hire(world.sandboxStore, OPERATORS)
  const work = await prepare(world, minutes)
  const tally = new LoadTally()
  const people = await atOnce(SIGN_INS_AT_ONCE, staff, (one, at) => {
    return LoadOperator.signIn(world.consoles[at % CONSOLES]?.url ?? '', one, work, tally)
  })
  await atOnce(SIGN_INS_AT_ONCE, people, (person, at) => person.follow(topicsOf(at, work)))
  print(`${people.length} people are signed in at ${CONSOLES} consoles, each with a stream`)
  const faults = new LoadFaults(world.serviceUrl)
  await faults.begin()
  // What a start prints is no line of the log.
  world.log.errors.clear()
  const usedSince = processorsOf(world)
  const memory = await workFor(minutes, world, people, tally, faults)
  const used = usedSince()
  const [calls, spoilt] = [faults.calls, await faults.met()]
  await faults.end()
  const wrongs = await countWrongs(world, faults, people)
  printCounts('what people were told, and what broke', tally.why)
  printCounts('lines of level error', world.log.errors)
  report(rowsOf({ minutes, tally, memory, wrongs, calls, spoilt, used, errors: world.log.count }))
  for (const person of people) person.stop()
}

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  print(`\n${title}:`)
  const often = [...counts].toSorted(([, a], [, b]) => b - a)
  for (const [what, times] of often) print(`${String(times).padStart(6)}  ${what}`)
}

interface Processors {
  /** Of both consoles, in milliseconds. */
  readonly consoles: number
  /** Share of the whole machine, with the sandbox, PostgreSQL and the people themselves. */
  readonly machine: number
}

/** Answers how to ask what was used from now on. */
function processorsOf({ consoles }: LoadWorld): () => Processors {
  const cpuMs = (): number => consoles.reduce((sum, { pid }) => sum + costOf(pid).cpuMs, 0)
  const [own, all] = [cpuMs(), machineTimes()]
  return () => {
    const now = machineTimes()
    return { consoles: cpuMs() - own, machine: (now.used - all.used) / (now.all - all.all) }
  }
}

/** Everybody follows the session and what is theirs. Of eight people five have Home open, two a case, and one the queue. */
function topicsOf(at: number, { cases }: LoadWork): readonly string[] {
  const everywhere = ['session', 'own-cases']
  const caseId = cases[at % cases.length] ?? ''
  if (at % 4 === 1) return [...everywhere, `workspace ${caseId}`, `thread ${caseId}`]
  if (at % 8 !== 3) return [...everywhere, 'home']
  const shown = { ids: [], arrival: 0 }
  return [...everywhere, `queue ${JSON.stringify({ asked: everyOpenCase, places: { page: 1, size: 20 }, shown })}`]
}

/** Deposits that wait for a confirmation, cards that can be blocked, and what there is to look at. */
async function prepare({ serviceUrl }: LoadWorld, minutes: number): Promise<LoadWork> {
  const client = new Client(serviceUrl)
  const holders = manyUsers.slice(0, 100)
  const operator = await client.tokenOf(OPERATOR)
  const holder = await client.tokenOf(emailOf(holders[0] ?? manyUsers[0] ?? never()))
  const many = (count: number) => Array.from({ length: count }, (_, at) => at)
  const deposits = await atOnce(CLIENTS, many(DEPOSITS_A_MINUTE * minutes), async (at) => {
    const body = { amount: 12.5, note: `Load ${at}` }
    const { referenceId } = await client.ask({
      method: 'POST',
      path: '/api/v1/Transaction/deposit',
      token: holder,
      body,
    })
    return { reference: referenceId, amount: '12.50' }
  })
  const cards = await atOnce(CLIENTS, many(CARDS_A_MINUTE * minutes), async (at) => {
    const userId = userIdEndingIn(holders[at % holders.length]?.ending ?? '')
    const body = { userId, cardType: 1, printedName: 'Load' }
    return (await client.ask({ method: 'POST', path: '/api/v1/cards', token: operator, body })).id
  })
  const path = `/api/v1/Transaction/account/${userIdEndingIn('011')}?pageSize=100`
  const { transactions } = await client.ask({ path, token: operator })
  const arbitrator = await client.tokenOf(ARBITRATOR)
  const { cases } = await client.ask({
    path: `/api/v1/Dispute?all=true&status=OPEN&pageSize=${CASES}`,
    token: arbitrator,
  })
  client.close()
  return {
    histories: holders.map(({ ending }) => userIdEndingIn(ending)),
    references: transactions.map(({ referenceId }) => referenceId),
    cases: cases.map(({ id }) => id),
    deposits: [...deposits],
    cards: [...cards],
  }
}

function never(): never {
  throw new Error('the large seed has wallet holders')
}

/** Memory of each console, every few seconds. */
type Memory = readonly (readonly number[])[]

async function workFor(
  minutes: number,
  world: LoadWorld,
  people: readonly LoadOperator[],
  tally: LoadTally,
  faults: LoadFaults,
): Promise<Memory> {
  const memory: number[][] = world.consoles.map(() => [])
  const sample = (): void => world.consoles.forEach(({ pid }, at) => void memory[at]?.push(costOf(pid).memory))
  const timer = setInterval(sample, SAMPLE_MS)
  const until = Date.now() + minutes * 60_000
  const working = Promise.all(people.map((person) => person.work(until)))
  print(
    `\n${['minute', 'actions', 'told', 'broken', 'p50', 'p95', 'memory', 'streams', 'not known', 'all calls'].map((it) => it.padStart(12)).join('')}`,
  )
  for (let minute = 1; minute <= minutes; minute += 1) {
    await wait(until - (minutes - minute) * 60_000 - Date.now())
    await faults.look()
    const { actions, told: failed, broken, 'signed-out': out, p50, p95 } = tally.takeMinute()
    const held = memory.map((of) => ((of.at(-1) ?? 0) / 2 ** 20).toFixed(0)).join(', ')
    const cells = [
      minute,
      actions,
      failed,
      broken + out,
      `${p50.toFixed(0)} ms`,
      `${p95.toFixed(0)} ms`,
      held,
      tally.streams,
    ]
    print([...cells, await countOpen(world), faults.calls].map((cell) => String(cell).padStart(12)).join(''))
  }
  await working
  clearInterval(timer)
  return memory
}

interface Seen {
  readonly minutes: number
  readonly tally: LoadTally
  readonly memory: Memory
  readonly wrongs: Readonly<Record<string, number>>
  /** Of the service while people worked, and how many of them were spoilt. */
  readonly calls: number
  readonly spoilt: number
  readonly used: Processors
  readonly errors: number
}

function rowsOf({ minutes, tally, memory, wrongs, calls, spoilt, used, errors }: Seen): readonly Row[] {
  const { all, taken } = tally
  const third = (of: readonly number[], which: 1 | 2): number =>
    median(of.slice(Math.floor((of.length * which) / 3), Math.floor((of.length * (which + 1)) / 3)))
  const growth = Math.max(...memory.map((of) => third(of, 2) / third(of, 1)))
  const share = (used.consoles / (minutes * 60_000)) * 100
  const perSecond = (times: number): string => (times / (minutes * 60)).toFixed(1)
  return [
    told('people, consoles, minutes', `${OPERATORS}, ${CONSOLES}, ${minutes}`),
    told('streams at the end; opened again', `${tally.streams}; ${tally.streamsOpenedAgain}`),
    told('actions a second', perSecond(taken.length)),
    told('calls to the service a second', perSecond(calls)),
    told('calls that were spoilt', `${((spoilt / calls) * 100).toFixed(1)} %`),
    told('actions that told of a failure or a refusal', `${((all.told / taken.length) * 100).toFixed(1)} %`),
    told('an action: p50, p95', [0.5, 0.95].map((it) => `${quantile(taken, it).toFixed(0)} ms`).join(', ')),
    told('processor of both consoles', `${share.toFixed(0)} % of a core`),
    told('processors of the whole machine', `${(used.machine * 100).toFixed(0)} % busy`),
    told('memory of each at the end', memory.map((of) => megabytes(of.at(-1) ?? 0)).join(', ')),
    atMost('memory, last third / middle third', growth, FLAT, (value) => value.toFixed(2)),
    atMost('pages and answers that were broken', all.broken, 0),
    ...Object.entries(wrongs).map(([figure, count]) => atMost(figure, count, 0)),
    atMost('lines of level error in the log', errors, 0),
  ]
}

function report(rows: readonly Row[]): void {
  print(`\n${'figure'.padEnd(48)}${'seen'.padStart(20)}${'required'.padStart(16)}`)
  for (const { figure, seen, aim, met } of rows) {
    print(`${figure.padEnd(48)}${seen.padStart(20)}${aim.padStart(16)}${met === false ? '  MISSED' : ''}`)
  }
  handOver('load', rows)
}

const [minutes] = process.argv.slice(2)
await bench(minutes === undefined ? MINUTES : Number(minutes))
