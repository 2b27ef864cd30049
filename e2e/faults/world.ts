import type { Programs } from '../support/programs.ts'
import type { SandboxControls } from '../support/sandbox-controls.ts'
import { type Change, countWrongs } from './certainty.ts'
import { type FaultyLine, startFaultyLine } from './faulty-line.ts'
import { noteTold, requireNone } from './figures.ts'
import { Person } from './person.ts'

const OPERATOR = 'operator@example.com'
const AMOUNT = '10'

export const CONFIRM = '/api/v1/Transaction/deposit/confirm'

/** One console on a line to the service that can be spoilt, and somebody who confirms deposits at it. */
export interface FaultWorld {
  readonly line: FaultyLine
  readonly consoleUrl: string
  readonly program: Programs['console']
  readonly person: Person
  /** Announces deposits and prepares their confirmations. */
  prepare(count: number): Promise<readonly Change[]>
  /** Sends a change, and notes what its author is told. */
  confirm(change: Change): Promise<void>
  /** What has to be 0 after a scenario is counted, noted and required. */
  judge(scenario: string, changes: readonly Change[], more?: Readonly<Record<string, number>>): Promise<void>
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

export async function startFaultWorld(
  programs: Programs,
  sandbox: SandboxControls,
  environment: Environment = {},
): Promise<FaultWorld> {
  const { postgres } = programs
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  await programs.startOver()
  let unjournaled = 0
  const line = await startFaultyLine(programs.proxy.url, async (reference) => {
    const sent = await postgres.query(
      `SELECT 1 FROM command JOIN command_event ON command_id = id WHERE target = $1 AND command_event.state = 'sent'`,
      [reference],
    )
    if (sent.length === 0) unjournaled += 1
  })
  const { url, program } = await programs.startAnotherConsole((own) => ({
    NEXTAUTH_URL: own,
    CORE_API_URL: line.url,
    ...environment,
  }))
  const person = await Person.signIn(url, OPERATOR)
  return {
    line,
    consoleUrl: url,
    program,
    person,
    async prepare(count) {
      const changes: Change[] = []
      for (let n = 0; n < count; n += 1) {
        const reference = await sandbox.announceDeposit('ana@example.com', AMOUNT)
        changes.push({ id: await person.prepare(reference, AMOUNT), reference, told: [] })
      }
      return changes
    },
    async confirm({ id, told }) {
      told.push(await person.confirm(id))
    },
    async judge(scenario, changes, more = {}) {
      const atOnce = changes.map(({ told: [first] }) => first?.class ?? 'nothing')
      const wrongs = await countWrongs({
        changes,
        line,
        person,
        postgres,
        stateOf: (reference) => sandbox.stateOf(reference),
        unjournaled,
        log: program.printed,
        tokens: programs.proxy.tokens,
      })
      noteTold(scenario, changes.length, atOnce)
      requireNone(scenario, changes.length, { ...wrongs, ...more })
    },
    async stop() {
      await program.stop()
      await line.stop()
    },
  }
}
