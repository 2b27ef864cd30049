import { setTimeout as wait } from 'node:timers/promises'
import { test } from '../support/fixtures.ts'
import { camtFile } from '../support/statement-tasks.ts'
import type { Change } from './certainty.ts'
import type { Harm } from './faulty-line.ts'
import type { Person } from './person.ts'
import { CONFIRM, startFaultWorld } from './world.ts'

const LINES = 16
/** A place that a dead process holds is free again after its lease of 20 s. */
const DONE_WITHIN_MS = 180_000
const ASK_EVERY_MS = 1_000

/** What the lines of one statement meet, in their order; at the last two the console is killed. */
const harms: readonly Harm[] = [
  { to: 'answer', afterBytes: 0, how: 'reset' },
  { to: 'request', afterBytes: 150 },
  { to: 'answer', afterBytes: 150, how: 'garble' },
  { to: 'answer', afterBytes: 0, how: 'silence' },
  { to: 'request', afterBytes: 150, how: 'hold' },
]

test.describe.configure({ timeout: 300_000 })

/** Stands for the lines that are ready; null when there are none. */
async function sealOf(person: Person, id: string): Promise<string | null> {
  return /seal\\?":\\?"([\da-f]{32})/.exec(await person.page(`/deposits/statements/${id}`))?.[1] ?? null
}

test('the lines of a statement are confirmed while answers are lost and the console is killed', async ({
  programs,
  sandbox,
}) => {
  const { postgres } = programs
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  const world = await startFaultWorld(programs, sandbox)
  const { person, line, program } = world
  const references: string[] = []
  for (let n = 0; n < LINES; n += 1) references.push(await sandbox.announceDeposit('ana@example.com', '10'))
  for (const reference of references) world.watch({ id: reference, mark: reference })
  const id = await person.import(camtFile(references.map((reference) => ({ reference, amount: '10.00' }))))
  const confirm = async (): Promise<void> => {
    const seal = await sealOf(person, id)
    const order = JSON.stringify({ work: 'confirm', seal })
    if (seal !== null) await person.send('POST', `/api/deposits/statements/${id}/work`, order)
  }
  const untouched = async (): Promise<number> => {
    const rows = await postgres.query(
      `SELECT DISTINCT target FROM command WHERE target = ANY($1) AND sent_at IS NOT NULL`,
      [references],
    )
    return LINES - rows.length
  }
  line.harm(CONFIRM, harms)
  const until = Date.now() + DONE_WITHIN_MS
  for (let held = line.held(); (await untouched()) > 0 && Date.now() < until; ) {
    // While work goes on it is refused; what is left is taken up again once it is over, or its process is dead.
    await confirm()
    if (await Promise.race([held.then(() => false), wait(ASK_EVERY_MS, true)])) continue
    held = line.held()
    await program.stop('SIGKILL')
    await program.start()
  }
  const rows = await postgres.query('SELECT id, target FROM command WHERE target = ANY($1) AND sent_at IS NOT NULL', [
    references,
  ])
  const changes = rows.map(({ id: change, target }): Change => {
    const effects = async () => ((await sandbox.stateOf(String(target))) === 'QUEUED' ? 0 : 1)
    return { id: String(change), mark: String(target), effects, told: [] }
  })
  await world.judge('the lines of a statement, lost answers and kills', changes, {
    'lines that were sent by two changes': rows.length - new Set(rows.map(({ target }) => target)).size,
    'lines that were never confirmed': await untouched(),
    'harms that no line met': line.waiting(),
  })
  await world.stop()
})
