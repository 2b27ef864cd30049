import { expect } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { draftForTest, executeForTest } from './gated-deposit.ts'
import { sentSecondsAgo } from './passed-time.ts'
import type { TestService } from './test-service.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
/** Longer than the console looks by itself. */
export const LOOKS_OVER_SECONDS = 700

/** A confirmation of whose end nothing is to be read, since its deposit is blocked at the service. `amount`: in BZD. */
export async function openDeposit(
  service: TestService,
  operator: Session,
  amount: string,
  holder = 'ana@example.com',
): Promise<string> {
  const { accessToken: token } = await service.login(holder)
  const body = { amount: Number(amount), note: '' }
  const { data } = await service.call('POST', '/api/v1/Transaction/deposit', { token, body })
  const referenceId = String(data?.referenceId)
  const params = { referenceId, bankReference: `B ${referenceId}`, statementAmount: amount }
  await service.fault('POST', CONFIRM, 'drop-after')
  const id = await draftForTest(operator, 'deposit.confirm', params)
  await executeForTest(operator, id)
  await service.call('POST', '/sandbox/transactions', { body: { referenceId, move: 'block' } })
  expect((await sentSecondsAgo(id, LOOKS_OVER_SECONDS)).state).toBe('unknown')
  return id
}
