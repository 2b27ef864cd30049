import type { APIRequest } from '@playwright/test'
import { recordOutcomes, requireNone } from '../support/figures.ts'
import type { Programs } from '../support/programs.ts'
import type { SandboxControls } from '../support/sandbox-controls.ts'
import { type Change, countWrongs } from './certainty.ts'
import { type FaultyLine, startFaultyLine } from './faulty-line.ts'
import { Person } from './person.ts'
import { prepareDeposit } from './prepare-deposit.ts'

export const OPERATOR = 'operator@example.com'

export const CONFIRM = '/api/v1/Transaction/deposit/confirm'

/** One console on a line to the service that can be spoilt, and somebody who makes changes at it. */
export interface FaultWorld {
  readonly line: FaultyLine
  readonly consoleUrl: string
  readonly program: Programs['console']
  readonly person: Person
  /** Announces deposits and prepares their confirmations. */
  prepare(count: number): Promise<readonly Change[]>
  /** From now on, how often it is sent is counted, and that it is in the journal before. `id`: the change's, or its target. */
  watch(change: Pick<Change, 'id' | 'mark'>): void
  /** Sends a change, and notes what its author is told. */
  confirm(change: Change): Promise<void>
  /** What has to be 0 after a scenario is counted, noted and required. */
  judge(
    scenario: string,
    changes: readonly Change[],
    more?: Readonly<Record<string, number>>,
    judging?: Judging,
  ): Promise<void>
  stop(): Promise<void>
}

interface Judging {
  /** Who made the changes, where the first person of this world did not. */
  readonly by?: Person
  /** Refresh tokens whose answer was lost: the console has no others, so it asks with them again. */
  readonly unanswered?: ReadonlySet<string>
}

type Environment = Readonly<Record<string, string>>

interface WorldOptions {
  /** Of the console. */
  readonly environment?: Environment
  readonly email?: string
  /** People sign in by single sign-on, whose provider lies behind the same line. */
  readonly sso?: { readonly request: APIRequest; readonly sandboxEnvironment?: Environment }
}

export async function startFaultWorld(
  programs: Programs,
  sandbox: SandboxControls,
  { environment = {}, email = OPERATOR, sso }: WorldOptions = {},
): Promise<FaultWorld> {
  const { postgres } = programs
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  await programs.startOver()
  let unjournaled = 0
  const idOf = new Map<string, string>()
  const line = await startFaultyLine(programs.proxy.url, async (mark) => {
    const sent = await postgres.query(
      `SELECT 1 FROM command JOIN command_event ON command_id = id
        WHERE (id = $1 OR target = $1) AND command_event.state = 'sent'`,
      [idOf.get(mark)],
    )
    if (sent.length === 0) unjournaled += 1
  })
  const { url, program } = await programs.startAnotherConsole((own) => ({
    NEXTAUTH_URL: own,
    CORE_API_URL: line.url,
    ...(sso === undefined ? {} : { OIDC_ISSUER: `${line.url}/idp` }),
    ...environment,
  }))
  if (sso !== undefined) {
    await programs.sandbox.stop()
    await programs.sandbox.start({ SANDBOX_URL: line.url, SANDBOX_CONSOLE_URL: url, ...sso.sandboxEnvironment })
  }
  const person = sso ? await Person.signInWithSso(sso.request, url, email) : await Person.signIn(url, email)
  const watch: FaultWorld['watch'] = ({ id, mark }) => {
    if (mark === null) return
    idOf.set(mark, id)
    line.watch(mark)
  }
  return {
    line,
    consoleUrl: url,
    program,
    person,
    watch,
    async prepare(count) {
      const changes: Change[] = []
      for (let n = 0; n < count; n += 1) {
        const change = await prepareDeposit(sandbox, person)
        changes.push(change)
        watch(change)
      }
      return changes
    },
    async confirm({ id, told }) {
      told.push(await person.confirm(id))
    },
    async judge(scenario, changes, more = {}, { by = person, unanswered = new Set() } = {}) {
      const atOnce = changes.map(({ told: [first] }) => first?.class ?? 'nothing')
      const { tokens } = programs.proxy
      const wrongs = await countWrongs({
        changes,
        line,
        person: by,
        postgres,
        unjournaled,
        log: program.printed,
        tokens,
      })
      recordOutcomes(scenario, changes.length, atOnce)
      const again = [...line.refreshed].filter(([token, times]) => times > 1 && !unanswered.has(token)).length
      requireNone(scenario, changes.length, { ...wrongs, 'refresh tokens that were used twice': again, ...more })
    },
    async stop() {
      await program.stop()
      await line.stop()
      if (sso === undefined) return
      await programs.sandbox.stop()
      await programs.sandbox.start()
    },
  }
}
