import type { APIRequest } from '@playwright/test'
import { expect } from '../support/fixtures.ts'
import type { SandboxControls } from '../support/sandbox-controls.ts'
import { type Answer, type SignedIn, signedInAt, signInAs } from './http.ts'

export const REASON = { reason: 'On the statement of today' }

export interface Waiting {
  readonly id: string
  readonly effect: string
  readonly reference: string
}

/** People of a console with a policy of its own, who are signed in at the first one: both have the same store. */
export async function people(
  request: APIRequest,
  mainUrl: string,
  url: string,
): Promise<(email: string) => Promise<SignedIn>> {
  return async (email) => signedInAt(url, (await signInAs(request, mainUrl, `${email}@example.com`)).handle)
}

/** A draft of the confirmation of a new deposit. */
export async function drafted(
  by: SignedIn,
  sandbox: SandboxControls,
  amount: string,
  holder = 'ana@example.com',
): Promise<Waiting> {
  const reference = await sandbox.announceDeposit(holder, amount)
  return { ...(await draft(by, reference, amount)), reference }
}

export async function draft(by: SignedIn, referenceId: string, statementAmount: string) {
  const params = { referenceId, bankReference: `B-${referenceId}`, statementAmount }
  const answer = await by.send('POST', '/api/commands', { kind: 'deposit.confirm', params })
  return (JSON.parse(answer.text) as { draft: { id: string; effect: string } }).draft
}

/** Asks for the approval of a draft. */
export async function askFor(by: SignedIn, { id }: Pick<Waiting, 'id'>): Promise<void> {
  expect(outcomeIn(await by.send('POST', `/api/commands/${id}/approval`, REASON))).toBe('approval')
}

/** A confirmation that waits for approval. */
export async function requestApproval(
  by: SignedIn,
  sandbox: SandboxControls,
  amount: string,
  holder?: string,
): Promise<Waiting> {
  const waiting = await drafted(by, sandbox, amount, holder)
  await askFor(by, waiting)
  return waiting
}

export const decide = (
  by: SignedIn,
  { id, effect }: Pick<Waiting, 'id' | 'effect'>,
  approves = true,
): Promise<Answer> =>
  by.send('POST', `/api/commands/${id}/decision`, { approves, effect, reason: approves ? '' : 'No' })

export const send = (by: SignedIn, { id }: Pick<Waiting, 'id'>): Promise<Answer> =>
  by.send('POST', `/api/commands/${id}`, {})

export function outcomeIn({ text }: Answer): string {
  const { command } = JSON.parse(text) as { command?: { outcome: { class: string } } }
  return command?.outcome.class ?? ''
}
