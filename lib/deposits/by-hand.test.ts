import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startCommand } from '#lib/commands/execute.ts'
import { freeKeys } from '#lib/commands/locks.ts'
import { moveCommand } from '#lib/commands/store.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { type Deposit, newDeposit } from '#lib/testing/gated-deposit.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { editorsOf } from './by-hand.ts'
import { bankLock } from './deposit.ts'

let service: ScriptedService
let operator: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  underPolicy({ kind: 'deposit.confirm', when: { freedByHand: true }, approval: { by: 1 } })
  putPerProcess('scopes', undefined)
  service.on('GET /api/v1/Users/1/scopes', ok({ roles: [], scopes: ['transactions:read', 'transactions:confirm'] }))
  operator = await signedIn(0)
})
afterAll(() => service.stop())

async function draftFor({ referenceId, read, in: inState }: Deposit, bankReference: string) {
  service.on(read, inState('QUEUED'))
  const reply = await draftOf(operator, 'deposit.confirm', { referenceId, bankReference, statementAmount: '250' })
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply.draft
}

test('a bank’s reference that somebody freed needs an approval for another deposit; one that nobody did needs none', async () => {
  const [bankReference, deposit] = [`ATL ${randomUUID()}`, newDeposit()]
  const { id } = await draftFor(deposit, bankReference)
  const db = await store()
  // Sent, and no effect shows: it keeps the reference until a person frees it.
  await startCommand(db, id, [{ key: bankLock(bankReference), permanent: true }])
  await moveCommand(db, id, { from: ['sent'], to: 'not_applied', keepLocks: true })
  expect((await draftFor(deposit, bankReference)).approval).toBeNull()
  expect(await inJournal(db, (trx) => freeKeys(trx, id))).toEqual([bankLock(bankReference)])

  expect((await draftFor(newDeposit(), bankReference.toLowerCase())).approval).toMatchObject({
    need: 'This change needs one approval.',
  })
  expect((await draftFor(deposit, bankReference)).approval).toBeNull()
  expect((await draftFor(newDeposit(), `ATL ${randomUUID()}`)).approval).toBeNull()
})

test('knows who entered a bank reference in another spelling', async () => {
  const bankReference = `ATL-${randomUUID()}`
  const { id } = await draftFor(newDeposit(), `ATL ${randomUUID()}`)
  const db = await store()
  const entered = { edit_id: id, actor: 'sso:editor', reference: null, bank_key: bankLock(bankReference) }
  await db.insertInto('entered_reference').values(entered).execute()
  const variant = bankReference.replaceAll('-', '\u2011').toLowerCase()
  expect(await editorsOf(db, { referenceId: 'other', bankReference: `\u200B${variant}` })).toEqual(['sso:editor'])
})
