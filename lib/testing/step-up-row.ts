import { expect } from 'vitest'
import type { Outcome, StepUpOutcome } from '#lib/commands/command.ts'
import { saveGrant } from '#lib/session/session.ts'
import {
  CONFIRM,
  type Deposit,
  draftConfirmation,
  executeForTest,
  gateConfirming,
  newDeposit,
  scriptGoodDay,
  VERIFY,
} from './gated-deposit.ts'
import type { Scripted, ScriptedService } from './scripted-service.ts'
import { freshConsole } from './test-console.ts'
import { openForTest, signInForTest } from './test-sessions.ts'

/** The deposit's states as it is read: when drafted, before it is sent, and before it is sent again. */
export const READS = 'reads'

/** One way in which a change that needs a second factor can go. */
export interface Row {
  readonly name: string
  /** The interface gates the endpoint, unless it says otherwise. */
  readonly gated?: false
  readonly enrolmentNeeded?: true
  readonly environment?: Readonly<Record<string, string>>
  /** A grant lives already. */
  readonly verified?: true
  readonly script?: (deposit: Deposit) => Readonly<Record<string, readonly Scripted[]>>
  /** What the person gives each time that something is wanted; null: tries again without a code. */
  readonly given?: readonly (string | null)[]
  /** What was wanted, prompt by prompt. */
  readonly wanted: readonly StepUpOutcome['need'][]
  readonly ends: Outcome['class']
  /** The grants that came with each request to confirm. */
  readonly sent: readonly (string | null)[]
  /** The codes that arrived at the service. */
  readonly codes: readonly string[]
}

/** Plays a row as a person in a browser does, and counts what was wanted of them and what arrived at the service. */
export async function play(service: ScriptedService, row: Row): Promise<void> {
  await freshConsole({ CORE_API_URL: service.url, ...row.environment })
  gateConfirming(row.gated === false ? 'never' : 'always', row.enrolmentNeeded === true)
  const deposit = newDeposit()
  scriptGoodDay(service, deposit)
  const script = row.script?.(deposit) ?? {}
  for (const [what, answers] of Object.entries(script)) service.on(what === READS ? deposit.read : what, ...answers)
  const session = await openForTest(await signInForTest())
  if (row.verified) saveGrant(session, 'grant-0', new Date(Date.now() + 300_000).toISOString())

  const id = await draftConfirmation(session, deposit)
  const given = [...(row.given ?? [])]
  const wanted: string[] = []
  let { command } = await executeForTest(session, id)
  for (;;) {
    if (command.outcome.class !== 'step-up') break
    wanted.push(command.outcome.need)
    const next = given.shift()
    if (next === undefined) break
    ;({ command } = await executeForTest(session, id, next))
  }

  expect({
    wanted,
    ends: command.outcome.class,
    sent: service.of(CONFIRM).map(({ grant }) => grant),
    codes: service.of(VERIFY).map(({ body }) => (body as { code: string }).code),
  }).toEqual({ wanted: row.wanted, ends: row.ends, sent: row.sent, codes: row.codes })
  const elsewhere = service.arrived.filter(({ what, grant }) => what !== CONFIRM && grant !== null)
  expect(elsewhere).toEqual([])
}
