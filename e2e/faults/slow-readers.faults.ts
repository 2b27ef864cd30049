import { setTimeout as wait } from 'node:timers/promises'
import { noteSeen, requireNone } from '../support/figures.ts'
import { test } from '../support/fixtures.ts'
import { Holder } from '../support/holder.ts'
import { ANA } from '../support/sandbox-controls.ts'
import { MemoryWatch } from './memory.ts'
import { Person } from './person.ts'
import { SlowReader } from './slow-reader.ts'
import { startFaultWorld } from './world.ts'

/** Of each of two people; a session may have six. */
const STREAMS = 4
const MESSAGES = 150
const MESSAGE = 'The parcel is still on its way. '.repeat(100)
/** Each sends the whole thread again: half a megabyte that nobody reads. */
const SNAPSHOTS_MAX = 150
const MESSAGE_EVERY = 3
/** Eight streams of 8 MiB that wait, as much that is being written, and what is not collected yet. */
const GROWTH_MAX_MIB = 300
const MESSAGE_WITHIN_MS = 3_000
const READ_WITHIN_MS = 20_000

test.describe.configure({ timeout: 180_000 })

/** Whether an event is missing before the last one, the resync. */
const hasGaps = (text: string): boolean =>
  [...text.matchAll(/^id: (\d+)$/gm)].slice(0, -1).some(([, id], at) => Number(id) !== at + 1)

test('browsers open event streams and read nothing', async ({ programs, sandbox }) => {
  const world = await startFaultWorld(programs, sandbox, { email: 'arbitrator@example.com' })
  const { person: slow, consoleUrl, program } = world
  const caseId = await sandbox.raiseCase()
  const ana = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  for (let n = 0; n < MESSAGES; n += 1) await ana.write(caseId, `${n} ${MESSAGE}`)
  const topic = `thread ${caseId}`
  const other = await Person.signIn(consoleUrl, 'admin@example.com')
  const reader = await SlowReader.open(other, topic)
  await reader.readUntil((text) => text.includes(`${MESSAGES - 1} The parcel`), READ_WITHIN_MS)

  const opened: { readonly by: Person; readonly stream: SlowReader }[] = []
  for (const by of [slow, await Person.signIn(consoleUrl, 'admin@example.com')]) {
    for (let n = 0; n < STREAMS; n += 1) opened.push({ by, stream: await SlowReader.open(by, topic) })
  }
  for (const { stream } of opened) await stream.readUntil(() => stream.id !== '', READ_WITHIN_MS)
  const memory = new MemoryWatch(program)
  const again = JSON.stringify({ topics: [topic], again: [topic] })
  const isHeld = async ({ by, stream }: (typeof opened)[number]) =>
    (await by.send('POST', `/api/stream/${stream.id}`, again)).status === 200
  let [held, sent, late] = [opened, 0, 0]
  for (let n = 0; n < SNAPSHOTS_MAX && held.length > 0; n += 1) {
    const are = await Promise.all(held.map(isHeld))
    held = held.filter((_one, at) => are[at])
    await wait(100)
    if (n % MESSAGE_EVERY !== 0) continue
    const body = `Heard beside those who read nothing ${n}`
    await ana.write(caseId, body)
    sent += 1
    if (!(await reader.readUntil((text) => text.includes(body), MESSAGE_WITHIN_MS))) late += 1
  }
  const growth = memory.stop()
  reader.leave()

  const notOver: SlowReader[] = []
  for (const { stream } of opened) {
    if (!(await stream.readUntil((text) => text.includes('"resync"'), READ_WITHIN_MS))) notOver.push(stream)
  }
  const restarted = await SlowReader.open(slow, topic)
  const written = await sandbox.bodiesOf(caseId)
  await restarted.readUntil((text) => text.includes(JSON.stringify(written.at(-1))), READ_WITHIN_MS)
  for (const stream of [...opened.map((one) => one.stream), restarted]) stream.leave()
  const scenario = 'browsers open event streams and read nothing'
  noteSeen(scenario, opened.length, { 'MiB that memory grew by': Math.round(growth), 'messages to others': sent })
  requireNone(scenario, opened.length, {
    'MiB of memory beyond the limit': Math.max(0, Math.round(growth - GROWTH_MAX_MIB)),
    'messages to others that came late': late,
    'streams that were kept though nobody read them': held.length,
    'streams without a resync': notOver.length,
    'streams with a gap before that': opened.filter(({ stream }) => hasGaps(stream.text)).length,
    'messages that the new snapshot lacks': written.filter((body) => !restarted.text.includes(JSON.stringify(body)))
      .length,
  })
  await world.judge(scenario, [])
  await world.stop()
})
