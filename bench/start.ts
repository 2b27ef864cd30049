import { execFileSync, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#lib/database/test-postgres.ts'
import { atMost, handOver } from './hand-over.ts'
import { median, timeOf } from './measure.ts'
import { print } from './print.ts'
import { Programs } from './programs.ts'

const LATER_STARTS = 3
const FIRST_MOST_MS = 60_000
const LATER_MOST_MS = 4_000
const LOOK_EVERY_MS = 50

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** `npm run bench -- start`: the time from `npm start` to an answer, in a fresh clone and again. */
async function bench(): Promise<void> {
  await using programs = new Programs()
  const folder = programs.newFolder()
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), folder])
  const first = await startOnce(folder)
  print(`first start of a fresh clone: ${seconds(first)}`)
  const later: number[] = []
  for (let n = 0; n < LATER_STARTS; n += 1) later.push(await startOnce(folder))
  print(`later starts: ${later.map(seconds).join(', ')}`)
  handOver('start', [
    atMost('`npm start` in a fresh clone, npm’s cache warm', first, FIRST_MOST_MS, seconds),
    atMost('`npm start` later, median', median(later), LATER_MOST_MS, seconds),
  ])
}

/** From the command until the console says that it is ready, in milliseconds; npm is stopped again, and the programs with it. */
async function startOnce(cwd: string): Promise<number> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const own = [`PORT=${port}`, `SANDBOX_PORT=${sandboxPort}`, `NEXTAUTH_URL=http://localhost:${port}`]
  let isUp = false
  let group = 0
  const ms = await timeOf(async () => {
    const child = spawn('env', [...own, 'npm', 'start'], { cwd, detached: true, stdio: 'ignore' })
    group = child.pid ?? 0
    while (!isUp && child.exitCode === null) {
      isUp = (await fetch(`http://127.0.0.1:${port}/api/ready`).catch(() => null))?.ok === true
      if (!isUp) await wait(LOOK_EVERY_MS)
    }
  })
  if (!isUp) throw new Error('npm start has ended by itself')
  process.kill(group, 'SIGTERM')
  while (isThere(group)) await wait(LOOK_EVERY_MS)
  return ms
}

/** Whether any program of the group still runs: npm ends before those that it has started. */
function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

await bench()
