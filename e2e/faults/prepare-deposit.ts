import type { SandboxControls } from '../support/sandbox-controls.ts'
import type { Change } from './certainty.ts'
import type { Person } from './person.ts'

const AMOUNT = '10'

/** Announces a deposit, and prepares its confirmation by somebody. */
export async function prepareDeposit(sandbox: SandboxControls, person: Person): Promise<Change & { mark: string }> {
  const referenceId = await sandbox.announceDeposit('ana@example.com', AMOUNT)
  const bankReference = `FAULT ${referenceId.slice(-24)}`
  const { id } = await person.prepare('deposit.confirm', { referenceId, bankReference, statementAmount: AMOUNT })
  const effects = async () => ((await sandbox.stateOf(referenceId)) === 'QUEUED' ? 0 : 1)
  return { id, mark: referenceId, effects, told: [] }
}
