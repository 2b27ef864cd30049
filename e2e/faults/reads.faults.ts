import { randomInt } from 'node:crypto'
import { recordSeen, requireNone } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { ANA } from '../support/sandbox-controls.ts'
import type { Harm } from './faulty-line.ts'
import { MemoryWatch } from './memory.ts'
import type { Person } from './person.ts'
import { startFaultWorld } from './world.ts'

/** Each page is opened so often at once, and with bodies that are spoilt at other bytes. */
const OPENED = 5
const BYTES_MAX = 1_500
/** The console reads 64 answers at once, and at most 8 MiB of each. */
const GROWTH_MAX_MIB = 64 * 8

const anywhere = (): number => randomInt(0, BYTES_MAX)

const harms: Readonly<Record<string, () => Harm>> = {
  'cut at any byte': () => ({ to: 'answer', afterBytes: anywhere(), how: 'reset' }),
  'ended at any byte': () => ({ to: 'answer', afterBytes: anywhere(), how: 'end' }),
  'garbled from any byte on': () => ({ to: 'answer', afterBytes: anywhere(), how: 'garble' }),
  trickling: () => ({ to: 'answer', afterBytes: anywhere(), how: 'trickle' }),
  'without an end': () => ({ to: 'answer', afterBytes: 0, how: 'endless' }),
  'silent from any byte on': () => ({ to: 'answer', afterBytes: anywhere(), how: 'silence' }),
}

/** How a page says that something could not be read. */
const WHY = /The service cannot be reached|The service’s answer cannot be read|The service could not answer/

/** How a list says that there is nothing in it; each list here has something. */
const EMPTY = /No terminals yet|No transactions yet|No open cases|No cases|No cases match|visible to you/

interface Place {
  readonly path: string
  /** What stands there, and only there, when it could be read. */
  readonly shows: RegExp
}

const withText = (...texts: readonly string[]): RegExp =>
  new RegExp(texts.map((text) => text.replace(/[^\w]/g, '\\$&')).join('|'))

test.describe.configure({ timeout: 300_000 })

/** What the topic of a case's thread tells: the answer of a poll, as the browser gets it. */
async function threadOf(person: Person, caseId: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await person.send('POST', '/api/stream/poll', JSON.stringify({ topics: [`thread ${caseId}`] }))
  return { status: response.status, text: await response.text() }
}

/** What the look-up says of one reference: found, why it is not known, or neither. */
async function lookUp(person: Person, reference: string): Promise<'found' | 'failed' | 'neither'> {
  const text = await (await person.send('POST', '/api/look-up', JSON.stringify({ text: reference }))).text()
  const frames = text.split('\n').filter((line) => line.includes('"source":"transactions"'))
  if (frames.some((frame) => frame.includes(reference))) return 'found'
  return frames.some((frame) => frame.includes('"kind":"failed"')) ? 'failed' : 'neither'
}

for (const [how, harm] of Object.entries(harms)) {
  test(`answers to reads are ${how}`, async ({ programs, sandbox }) => {
    const world = await startFaultWorld(programs, sandbox, { email: 'admin@example.com' })
    const { person, line } = world
    const note = 'Read through the faults'
    const reference = await sandbox.announceDeposit('ana@example.com', '10', note)
    const caseId = await sandbox.raiseCase()
    const places: readonly Place[] = [
      { path: '/terminals?merchant=merchant-001', shows: /\/terminals\/[\da-f]{8}-/ },
      { path: `/users/${ANA}`, shows: withText(encodeURIComponent(reference), reference) },
      { path: `/transactions/${encodeURIComponent(reference)}`, shows: withText(note) },
      { path: '/disputes', shows: /\/disputes\/[\da-f]{8}-/ },
      { path: `/disputes/${caseId}`, shows: /The goods never came\./ },
    ]
    for (const { path, shows } of places) expect.soft(await person.page(path), path).toMatch(shows)
    expect.soft(await lookUp(person, reference)).toBe('found')
    const memory = new MemoryWatch(world.program)
    line.harmEach((method, path) => (method === 'GET' && path.startsWith('/api/v1/') ? harm() : null))
    const opened = await Promise.all(
      places.flatMap((place) =>
        Array.from({ length: OPENED }, async () => ({ place, ...(await person.open(place.path)) })),
      ),
    )
    const threads = await Promise.all(Array.from({ length: OPENED }, () => threadOf(person, caseId)))
    const lookUps = await Promise.all(Array.from({ length: OPENED }, () => lookUp(person, reference)))
    const growth = memory.stop()
    line.harmEach(() => null)
    const unsaid = opened.filter(({ text, place }) => !place.shows.test(text) && !WHY.test(text))
    expect.soft(unsaid.map(({ place, status }) => `${status} ${place.path}`)).toEqual([])
    const after = await Promise.all(places.map(async ({ path, shows }) => shows.test(await person.page(path))))
    const said = opened.filter(({ text }) => WHY.test(text)).length
    recordSeen(`answers to reads are ${how}`, opened.length, {
      'MiB that memory grew by': Math.round(growth),
      'pages that said what they could not read': said,
    })
    requireNone(`answers to reads are ${how}`, opened.length + threads.length + lookUps.length, {
      'ways that no page met': said > 0 ? 0 : 1,
      'lists told as empty': opened.filter(({ text }) => EMPTY.test(text)).length,
      'look-ups that neither found it nor said why': lookUps.filter((found) => found === 'neither').length,
      'pages that were no page': opened.filter(({ status }) => status !== 200).length,
      'pages that neither showed it nor said why': unsaid.length,
      'pages that took more than 30 s': opened.filter(({ tookMs }) => tookMs > 30_000).length,
      'threads told as empty': threads.filter(({ text }) => text.includes('"messages":[]')).length,
      'threads that were no answer': threads.filter(({ status }) => status !== 200).length,
      'MiB of memory beyond the limit': Math.max(0, Math.round(growth - GROWTH_MAX_MIB)),
      'pages that did not come afterwards': after.filter((came) => !came).length,
    })
    await world.judge(`answers to reads are ${how}`, [])
    await world.stop()
  })
}
