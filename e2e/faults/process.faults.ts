import { randomInt } from 'node:crypto'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '../support/fixtures.ts'
import { startFaultWorld } from './world.ts'

const KILLS = 10
const CHANGES_EACH = 4
/** From the first byte of a change to its end it takes less. */
const WITHIN_MS = 80

test.describe.configure({ timeout: 300_000 })

test('the console is killed at any moment of a change', async ({ programs, sandbox }) => {
  const world = await startFaultWorld(programs, sandbox)
  const changes = await world.prepare(KILLS * CHANGES_EACH)
  for (let kill = 0; kill < KILLS; kill += 1) {
    const now = changes.slice(kill * CHANGES_EACH, (kill + 1) * CHANGES_EACH)
    const confirmed = now.map(world.confirm)
    await wait(randomInt(0, WITHIN_MS))
    await world.program.stop('SIGKILL')
    await Promise.all(confirmed)
    await world.program.start()
  }
  await world.judge('the console is killed at any moment', changes)
  await world.stop()
})

/** With it, the clock that a program reads is the machine's and a step that a file says. */
function fakeTime(): string {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined) throw new Error('Steps of the clock need Debian’s package faketime: install it.')
  return library
}

for (const step of ['+10m', '-10m']) {
  test(`the console’s clock steps by ${step}`, async ({ programs, sandbox }) => {
    const folder = mkdtempSync(join(tmpdir(), 'console-clock-'))
    const clock = join(folder, 'step')
    writeFileSync(clock, '+0')
    const environment = {
      LD_PRELOAD: fakeTime(),
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // Timers go by another clock, which no step moves.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    const world = await startFaultWorld(programs, sandbox, { environment })
    const changes = await world.prepare(KILLS)
    const confirmed = changes.map(async (change) => {
      await wait(randomInt(0, 1_000))
      await world.confirm(change)
    })
    await wait(500)
    writeFileSync(clock, step)
    await Promise.all(confirmed)
    await world.judge(`the console’s clock steps by ${step}`, changes)
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })
}

for (const step of ['+5h', '-5h']) {
  test(`the service’s clock is ${step} off`, async ({ programs, sandbox }) => {
    const world = await startFaultWorld(programs, sandbox)
    const changes = await world.prepare(KILLS)
    const [during, after] = [changes.slice(0, KILLS / 2), changes.slice(KILLS / 2)]
    const confirmed = Promise.all(during.map(world.confirm))
    await programs.sandbox.stop()
    // Its tokens, its times and the Date of its answers are all by this clock.
    await programs.sandbox.start({ LD_PRELOAD: fakeTime(), FAKETIME: step, FAKETIME_DONT_FAKE_MONOTONIC: '1' })
    const { headers } = await fetch(`${programs.sandboxUrl}/health`)
    const hoursOff = Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / 3_600_000)
    await confirmed
    await Promise.all(after.map(world.confirm))
    await world.judge(`the service’s clock is ${step} off`, changes, {
      'hours that the clock is not off as it should be': Math.abs(Number.parseInt(step, 10) - hoursOff),
      'changes whose author was told nothing': after.filter(({ told: [first] }) =>
        ['lost', 'denied'].includes(first?.class ?? ''),
      ).length,
    })
    await world.stop()
    await programs.sandbox.stop()
    await programs.sandbox.start()
  })
}
