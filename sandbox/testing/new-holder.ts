import { SEED_PASSWORD } from '#sandbox/seed/people.ts'
import type { TestSandbox } from './test-sandbox.ts'

export interface NewHolder {
  readonly id: string
  readonly email: string
}

/** Registers a wallet holder with nothing in the wallet and no history, who can be asked as until the next reset. */
export async function newHolder(box: TestSandbox): Promise<NewHolder> {
  const email = 'eva@example.com'
  const { body } = await box.call('POST', '/api/v1/Users/register', {
    body: {
      firstName: 'Eva',
      lastName: 'Estrada',
      email,
      phoneNumber: '+501 600 1234',
      username: 'eva',
      password: SEED_PASSWORD,
    },
  })
  return { id: String(body.data?.id), email }
}
