import { setTimeout as wait } from 'node:timers/promises'
import { manyUsers } from '#sandbox/seed/many-users.ts'
import { emailOf } from '#sandbox/seed/people.ts'
import { CLIENTS, type Client } from './client.ts'
import type { ConsoleProcess } from './console-process.ts'
import { Operator } from './operator.ts'
import { print } from './print.ts'
import { canReadCost, costOf } from './process-cost.ts'

/** What the console allows: so many sessions a person, so many streams a session. */
const SESSIONS_PER_PERSON = 5
const STREAMS_PER_SESSION = 4
const COUNTS = [1, 100, 1_000]
const WARM_UP = 100
const SESSIONS = Math.max(...COUNTS) / STREAMS_PER_SESSION
/** In this time every open stream compares its thread with the service once, and lines to the hub that nobody needs end. */
const WATCHED_SECONDS = 65

interface BenchSession {
  readonly operator: Operator
  /** The person's own cases. */
  readonly cases: readonly string[]
}

/** What the console's process takes for 1, 100 and 1,000 streams that are open and live while nobody writes. */
export async function measureStreams(client: Client, console: ConsoleProcess): Promise<void> {
  if (!canReadCost()) return print('memory and CPU of open streams: not measured here, there is no /proc')
  const now = () => costOf(console.pid)
  const benchSessions = await signInAll(client, console.url)
  for (const close of await openStreams(benchSessions, 0, WARM_UP)) close()
  // Signing in and the first streams leave work behind, which is no part of what idle sessions cost.
  await watch(now)
  print('')
  print('the console’s process, while nobody writes')
  const meanwhile = `CPU in ${WATCHED_SECONDS} s`
  printRow(['open streams', 'memory', 'per stream', 'CPU to open one', meanwhile, 'per stream'])
  const base = await watch(now)
  const open: (() => void)[] = []
  printRow(['0', megabytes(base.memory), '–', '–', milliseconds(base.cpuMs), '–'])
  for (const count of COUNTS) {
    const opened = count - open.length
    const before = now().cpuMs
    open.push(...(await openStreams(benchSessions, open.length, opened)))
    const toOpen = (now().cpuMs - before) / opened
    const { memory, cpuMs } = await watch(now)
    printRow([
      count.toLocaleString('en'),
      megabytes(memory),
      kilobytes((memory - base.memory) / count),
      milliseconds(toOpen),
      milliseconds(cpuMs),
      milliseconds((cpuMs - base.cpuMs) / count),
    ])
  }
  for (const close of open) close()
  const after = await watch(now)
  printRow(['0 again', megabytes(after.memory), '–', '–', milliseconds(after.cpuMs), '–'])
  for (const { operator } of benchSessions) operator.close()
}

async function signInAll(client: Client, consoleUrl: string): Promise<readonly BenchSession[]> {
  const benchSessions: BenchSession[] = []
  const people = manyUsers.slice(0, SESSIONS / SESSIONS_PER_PERSON)
  for (const email of people.map(emailOf)) {
    const { cases } = await client.ask({ path: '/api/v1/Dispute', token: await client.tokenOf(email) })
    const signIns = Array.from({ length: SESSIONS_PER_PERSON }, () => Operator.signIn(consoleUrl, email))
    for (const operator of await Promise.all(signIns))
      benchSessions.push({ operator, cases: cases.map(({ id }) => id) })
  }
  return benchSessions
}

/** Opens so many streams after the first so many, and waits until all are live. Answers how to close each. */
async function openStreams(
  benchSessions: readonly BenchSession[],
  after: number,
  count: number,
): Promise<readonly (() => void)[]> {
  const opened: (() => void)[] = []
  let next = after
  const open = async (): Promise<void> => {
    while (next < after + count) {
      const turn = next++
      const session = benchSessions[turn % benchSessions.length]
      if (session === undefined) throw new Error('nobody is signed in')
      const caseId = session.cases[Math.floor(turn / benchSessions.length) % session.cases.length]
      opened.push(await session.operator.follow(`thread ${caseId}`, '"state":"live"'))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, open))
  return opened
}

/** What is held at the end of a while, and the processor time that was used in it. */
async function watch(now: () => { memory: number; cpuMs: number }): Promise<{ memory: number; cpuMs: number }> {
  const before = now().cpuMs
  await wait(WATCHED_SECONDS * 1000)
  const { memory, cpuMs } = now()
  return { memory, cpuMs: cpuMs - before }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`
const kilobytes = (bytes: number): string => `${(bytes / 2 ** 10).toFixed(0)} kB`
const milliseconds = (ms: number): string => `${ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`

const WIDTHS = [12, 10, 13, 18, 14, 13]

function printRow(cells: readonly string[]): void {
  print(cells.map((cell, index) => cell.padStart(WIDTHS[index] ?? 0)).join(''))
}
