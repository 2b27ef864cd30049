import { setTimeout as wait } from 'node:timers/promises'
import type { Person } from '../faults/person.ts'
import { requireNone } from '../support/figures.ts'
import { camtFile } from '../support/statement-tasks.ts'
import { type Cluster, expect, test } from './world.ts'

const SCENARIO = 'shared by both processes'
const WITHIN = { timeout: 5_000 }
const LINES = 100

/** Two sessions of one person, the first one at the first console. */
async function oneAtEach(cluster: Cluster, email: string): Promise<readonly [Person, Person]> {
  const found: (Person | undefined)[] = []
  while (found[0] === undefined || found[1] === undefined) {
    const person = await cluster.signIn(email)
    const at = await cluster.consoleOf(person)
    // A person has five sessions, so what is not needed ends.
    if (found[at] !== undefined) await person.send('POST', '/api/session/sign-out')
    else found[at] = person
  }
  return [found[0], found[1]]
}

test('what is done at one process is told at the other', async ({ cluster, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const [here, there] = await oneAtEach(cluster, 'admin@example.com')
  const [change] = await cluster.prepare(1, [here])
  if (change === undefined) throw new Error('nothing was prepared')
  const statement = await here.import(
    camtFile(Array.from({ length: LINES }, (_, n) => ({ reference: `R${n}`, amount: '1.00' }))),
  )
  const topics = ['session', 'home', `workspace ${caseId}`, `statement ${statement}`]
  const stream = cluster.browserOf(there).follow(topics)
  await expect.poll(() => topics.filter((topic) => !stream.hasHeard(topic, ''))).toEqual([])
  const missed = async (topic: string, part: string): Promise<number> => {
    const until = performance.now() + WITHIN.timeout
    while (!stream.hasHeard(topic, part) && performance.now() < until) await wait(20)
    return stream.hasHeard(topic, part) ? 0 : 1
  }
  await here.makeAtOnce(crypto.randomUUID(), 'case.assign', { caseId })
  const claim = await missed(`workspace ${caseId}`, 'admin@example.com')
  await here.confirm(change.id)
  const done = await missed('home', change.id)
  const work = await missed(`statement ${statement}`, `"done":${LINES}`)
  await here.send('DELETE', '/api/session/sessions')
  await expect.poll(() => stream.isOver, WITHIN).toBe(true)
  requireNone(SCENARIO, 1, {
    'a claim that is not told': claim,
    'an own change that is not told': done,
    'an import whose end is not told': work,
    'a session that goes on': (await there.page('/')).length > 3 ? 1 : 0,
  })
})
