// @vitest-environment happy-dom
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ConfirmDeposit, readStatement, writeStatement } from './confirm-deposit.tsx'

const client = vi.hoisted(() => ({ draft: vi.fn() }))
const router = vi.hoisted(() => ({ refresh: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  ...client,
}))

afterEach(closePage)

const at = '2026-11-20T10:00:00.000Z'
const facts = {
  ...{ reference: 'DEP-1', debit: '40', credit: '40', state: 'QUEUED', toAccountId: 'ana', createdAt: at },
  ...{ note: '', transactionType: 'DEPOSIT', fault: null },
}
const nothing = { problem: null, missingScope: null, latest: null, renderedAtMs: Date.now() }
const unsent = { owner: 'sso:me', place: 'deposit:DEP-1', text: '', version: 0, other: null }

test('reads a deposit again that comes back', async () => {
  const found = { facts, room: null, handOver: null, colleagues: null }
  const page = <ConfirmDeposit lookUp={null} found={found} unsent={unsent} {...nothing} />
  await renderPage(page)
  expect(router.refresh).not.toHaveBeenCalled()
  await renderPage(null)
  await renderPage(page)
  expect(router.refresh).toHaveBeenCalledOnce()
})

test.each([
  ['what a colleague knew', '', 'ATL-1'],
  ['what was typed before', writeStatement({ bankReference: 'ATL-2', statementAmount: '40' }), 'ATL-2'],
])('hands on %s', async (_what, text, bankReference) => {
  client.draft.mockReset().mockReturnValue(new Promise(() => {}))
  const handOver = {
    ...({ reference: 'DEP-1', amount: '40', from: 'ana', to: 'ben', reader: 'sender', at, handedBackAt: at } as const),
    ...{ reason: '', known: { bankReference: 'ATL-1', statementAmount: '40' } },
  }
  const page = await renderPage(
    <ConfirmDeposit
      lookUp={null}
      found={{ facts, room: null, handOver, colleagues: [{ actor: 'sso:eva', name: 'Eva' }] }}
      unsent={{ ...unsent, text }}
      {...nothing}
    />,
  )
  const reason = page.querySelector<HTMLInputElement>('[name="handOverReason"]')
  if (reason !== null) reason.value = 'Over my limit.'
  expect(isUnloadGuarded()).toBe(true)
  await fire(reason?.form ?? null, 'submit')
  const known = { bankReference, statementAmount: '40' }
  expect(client.draft).toHaveBeenCalledWith('deposit.hand-over', expect.objectContaining(known))
})

test('what was typed comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (bankReference, statementAmount) => {
      expect(readStatement(writeStatement({ bankReference, statementAmount }))).toEqual({
        bankReference,
        statementAmount,
      })
    }),
  )
})

test('nothing typed is nothing to keep', () => {
  expect(writeStatement({ bankReference: '', statementAmount: '' })).toBe('')
})

test.each(['', 'ATL-1', '{}', 'null', '[1,2]', '[', '["only one"]'])('%j is read without a fault', (text) => {
  expect(Object.values(readStatement(text)).every((it) => typeof it === 'string')).toBe(true)
})
