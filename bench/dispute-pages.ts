import { setTimeout as wait } from 'node:timers/promises'
import type { IndexState } from '#lib/disputes/queue/queue.ts'
import type { SeedName } from '#sandbox/seed/seed-name.ts'
import { atMost, handOver, told } from './hand-over.ts'
import { median } from './measure.ts'
import { ARBITRATOR, QUEUE } from './measured-pages.ts'
import { print } from './print.ts'
import { canReadCost, costOf } from './process-cost.ts'
import { Programs } from './programs.ts'

const FEW = { seed: 'large', cases: 5_000 } as const
const MANY = { seed: 'large:10', cases: 50_000 } as const
const AIM = 1.3
const ROUNDS = 5
const REQUESTS = 10
const TRIES_MAX = 20
const READ_WITHIN_MS = 300_000

interface Desk {
  /** Processor time of a request, in milliseconds, by page. */
  cpuMs(page: string): Promise<number>
}

const [CASE, LIST] = ['a case', 'the queue']

/** `npm run bench -- dispute-pages`: what pages take of a console that knows many cases, beside one that knows few. Asserts nothing. */
async function bench(): Promise<void> {
  if (!canReadCost()) return print('not measured here, there is no /proc')
  await using programs = new Programs()
  const [few, many] = [await openDesk(FEW, programs), await openDesk(MANY, programs)]
  const rows = []
  for (const page of [CASE, 'Home', LIST]) {
    const [little, much] = [await medianOf(few, page), await medianOf(many, page)]
    const figure = `CPU of ${page}: ${MANY.cases.toLocaleString('en-US')} cases / ${FEW.cases.toLocaleString('en-US')}`
    print(`${figure}: ${(much / little).toFixed(2)} (${much.toFixed(1)} ms a request)`)
    rows.push(atMost(figure, much / little, AIM, (ratio) => ratio.toFixed(2)))
    rows.push(told(`CPU of ${page} with ${MANY.cases.toLocaleString('en-US')} cases`, `${much.toFixed(1)} ms`))
  }
  handOver('dispute-pages', rows)
}

async function medianOf(desk: Desk, page: string): Promise<number> {
  // Compiled and cached as after an hour of work.
  for (let n = 0; n < 2; n += 1) await desk.cpuMs(page)
  const each: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) each.push(await desk.cpuMs(page))
  return median(each)
}

async function openDesk({ seed, cases }: { seed: SeedName; cases: number }, programs: Programs): Promise<Desk> {
  const console = await programs.startConsole(await programs.startSandbox(seed))
  const arbitrator = await programs.signIn(console.url, ARBITRATOR)
  const index = async (): Promise<IndexState> =>
    JSON.parse(await arbitrator.ask('/api/disputes/queue?page=1&size=20')).queue.index
  const untilIndex = async (isSo: (of: IndexState) => boolean) => {
    const until = performance.now() + READ_WITHIN_MS
    for (;;) {
      const found = await index()
      if (isSo(found)) return found
      if (performance.now() > until) throw new Error('the list of cases was not read')
      await wait(200)
    }
  }
  const began = performance.now()
  await untilIndex(({ completeAt }) => completeAt !== null)
  print(`${cases.toLocaleString('en-US')} cases are known after ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const [, id = ''] = /href="\/disputes\/([0-9a-f-]{36})"/.exec(await arbitrator.ask(QUEUE)) ?? []
  const paths: Readonly<Record<string, string>> = { [CASE]: `/disputes/${id}`, [LIST]: QUEUE, Home: '/' }
  return {
    async cpuMs(page) {
      for (let round = 0; round < TRIES_MAX; round += 1) {
        const { newestReadAt } = await untilIndex(({ reading }) => reading === null)
        const before = costOf(console.pid).cpuMs
        for (let n = 0; n < REQUESTS; n += 1) await arbitrator.ask(paths[page] ?? '/')
        const cpuMs = costOf(console.pid).cpuMs - before
        // Else the list was read again meanwhile.
        if ((await index()).newestReadAt === newestReadAt) return cpuMs / REQUESTS
      }
      throw new Error('the list of cases was read in every round')
    },
  }
}

await bench()
