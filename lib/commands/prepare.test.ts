import { beforeEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { kinds } from '#lib/kinds.ts'
import type { Session } from '#lib/session/session.ts'
import { kindNamed, registerKinds } from './kind.ts'
import { draftCommand } from './prepare.ts'

/** Of somebody whose scopes could not be read: what is refused here is refused before anything else is read or kept. */
const session = { id: 'of nobody' } as Session

beforeEach(() => {
  registerKinds(kinds)
  putPerProcess(
    'scopes',
    new Map([[session.id, { access: { roles: [], scopes: null }, until: Number.POSITIVE_INFINITY }]]),
  )
})

const decision = {
  ...{ caseId: '00000000-0000-4000-8000-0000000000c1', referenceId: 'P2P-1', decision: 'refund', reason: 'why' },
  latestMessageId: '',
}

test.each([
  ['latestMessageId', 'a\0b'],
  ['referenceId', 'P2P\ud800'],
])('refuses a %s that the store cannot hold', async (name, text) => {
  const reply = await draftCommand(session, kindNamed('dispute.resolve')!, { ...decision, [name]: text })
  expect(reply).toMatchObject({ ok: false, fields: { [name]: expect.stringContaining('cannot be sent') } })
})

test('a kind that says itself what is wrong with a text has the word', async () => {
  const reply = await draftCommand(session, kindNamed('deposit.confirm')!, {
    ...{ referenceId: '..', bankReference: 'B\0', statementAmount: '1.00' },
  })
  expect(reply).toMatchObject({ ok: false, fields: { referenceId: expect.stringContaining('are not references') } })
})
