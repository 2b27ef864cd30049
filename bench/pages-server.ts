import { setTimeout as wait } from 'node:timers/promises'
import type { Figures } from './aims.ts'
import type { ConsoleProcess } from './console-process.ts'
import { median } from './measure.ts'
import { ARBITRATOR, HISTORY, HISTORY_WITHOUT_ROWS, OPERATOR, QUEUE, QUEUE_WITHOUT_ROWS } from './measured-pages.ts'
import { Operator } from './operator.ts'
import { print, printRow } from './print.ts'
import { canReadCost, costOf } from './process-cost.ts'
import type { TimingProxy } from './timing-proxy.ts'

/** A person has at most five sessions; each of these is a browser with some tabs. */
const SESSIONS = 4
const CLIENTS = 20
const ALONE = 40

interface Page {
  readonly name: string
  readonly path: string
  readonly people: readonly Operator[]
}

interface Load {
  readonly cpuMs: number
  readonly perSecond: number
  /** Median of the last byte, in milliseconds. */
  readonly lastByte: number
}

/** What pages take of the console's process: alone, and with twenty clients at once; and what that process holds at the end. */
export async function measureServer(console: ConsoleProcess, proxy: TimingProxy, isShort: boolean): Promise<Figures> {
  if (!canReadCost()) {
    print('CPU and memory of pages: not measured here, there is no /proc')
    return {}
  }
  const signIns = (email: string) =>
    Promise.all(Array.from({ length: SESSIONS }, () => Operator.signIn(console.url, email)))
  const [operators, arbitrators] = [await signIns(OPERATOR), await signIns(ARBITRATOR)]
  const pages: readonly Page[] = [
    { name: 'history of 20 rows', path: HISTORY, people: operators },
    { name: 'history without rows', path: HISTORY_WITHOUT_ROWS, people: operators },
    { name: 'queue of 20 rows', path: QUEUE, people: arbitrators },
    { name: 'queue without rows', path: QUEUE_WITHOUT_ROWS, people: arbitrators },
  ]
  const index = await untilCases(arbitrators[0])
  print(`the queue's first page has cases after ${index.toFixed(1)} s`)
  const [rounds, requests] = isShort ? [4, 100] : [10, 250]
  // Compiled and cached as after an hour of work.
  for (const page of pages) await load(console, page, requests)
  const alone = await measureAlone(pages, proxy)
  const loads = new Map<string, Load[]>(pages.map(({ name }) => [name, []]))
  // One page after the other in each round, so that all meet the same machine.
  for (let round = 0; round < rounds; round += 1) {
    for (const page of pages) loads.get(page.name)?.push(await load(console, page, requests))
  }
  for (const person of [...operators, ...arbitrators]) person.close()
  return figuresOf(pages, loads, alone, {
    bytes: costOf(console.pid).memory,
    requests: pages.length * (requests * (rounds + 1) + ALONE * 2),
  })
}

/** The first look at the queue begins a sweep; its rows are there when that has ended. */
async function untilCases(arbitrator: Operator | undefined): Promise<number> {
  const began = Date.now()
  while ((await arbitrator?.ask(QUEUE))?.includes('href="/disputes/') === false) await wait(100)
  return (Date.now() - began) / 1000
}

async function load(console: ConsoleProcess, { path, people }: Page, requests: number): Promise<Load> {
  const [before, began] = [costOf(console.pid).cpuMs, performance.now()]
  const taken: number[] = []
  let number = 0
  const client = async (_: unknown, at: number): Promise<void> => {
    while (number++ < requests) taken.push((await people[at % people.length]?.time(path))?.lastByte ?? 0)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const [cpuMs, ms] = [costOf(console.pid).cpuMs - before, performance.now() - began]
  return { cpuMs: cpuMs / requests, perSecond: requests / (ms / 1000), lastByte: median(taken) }
}

interface Alone {
  /** Less the slowest call that the page had waited for until then. */
  readonly firstByte: number
  readonly lastByte: number
}

async function measureAlone(pages: readonly Page[], proxy: TimingProxy): Promise<ReadonlyMap<string, Alone>> {
  const measured = new Map<string, Alone>()
  for (const { name, path, people } of pages) {
    const [first, last]: [number[], number[]] = [[], []]
    for (let n = 0; n < ALONE * 2; n += 1) {
      const before = proxy.calls.length
      let waitedFor: readonly number[] = []
      const times = await people[0]?.time(path, () => (waitedFor = proxy.calls.slice(before)))
      if (times === undefined || n < ALONE) continue
      first.push(times.firstByte - Math.max(0, ...waitedFor))
      last.push(times.lastByte)
    }
    measured.set(name, { firstByte: median(first), lastByte: median(last) })
  }
  return measured
}

function figuresOf(
  pages: readonly Page[],
  loads: ReadonlyMap<string, readonly Load[]>,
  alone: ReadonlyMap<string, Alone>,
  end: { readonly bytes: number; readonly requests: number },
): Figures {
  const middle = (name: string, of: (one: Load) => number) => median((loads.get(name) ?? []).map(of))
  const columns = ['CPU', 'requests/s', 'last byte', 'alone: first less call', 'last byte', '20 / one']
  const widths = [24, ...columns.map(({ length }) => length + 3)]
  print('')
  printRow([`${CLIENTS} clients`, ...columns], widths)
  for (const { name } of pages) {
    const [cpu, rate, last] = [
      middle(name, (one) => one.cpuMs),
      middle(name, (one) => one.perSecond),
      middle(name, (one) => one.lastByte),
    ]
    const { firstByte = 0, lastByte = 0 } = alone.get(name) ?? {}
    const cells = [cpu, rate, last, firstByte, lastByte, last / lastByte]
    printRow([name, ...cells.map((cell) => cell.toFixed(1))], widths)
  }
  print(`memory after ${end.requests.toLocaleString('en')} requests: ${(end.bytes / 2 ** 20).toFixed(0)} MB`)
  const [history, none, queue, empty] = pages.map(({ name }) => name) as [string, string, string, string]
  /** Within a round, so that a machine that gets busier counts for both. */
  const ratio = (one: string, other: string): number => {
    const others = loads.get(other) ?? []
    return median((loads.get(one) ?? []).map(({ cpuMs }, round) => cpuMs / (others[round]?.cpuMs ?? Number.NaN)))
  }
  const slower = (name: string) => middle(name, (one) => one.lastByte) / (alone.get(name)?.lastByte ?? Number.NaN)
  return {
    historyRows: ratio(history, none),
    queueRows: ratio(queue, empty),
    firstByte: Math.max(...[...alone.values()].map(({ firstByte }) => firstByte)),
    lastByte: Math.max(slower(history), slower(queue)),
    memory: end.bytes / 2 ** 20,
  }
}
