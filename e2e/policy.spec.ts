import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, expectAccessible } from './support/fixtures.ts'
import { digestOf, test } from './support/own-policy.ts'
import { takeStatement } from './support/statement-tasks.ts'

const OPERATOR = 'operator@example.com'

/** Counts amounts that no other test confirms: what one test has sent does not count in the next. */
const limitFrom = (amountAtLeast: string, limit: object) => ({
  kind: 'deposit.confirm',
  when: { amountAtLeast },
  limit,
})
const policyOf = (...rules: readonly object[]): string => JSON.stringify({ rules })

test('shows the use of a limit, and sends nothing beyond', { tag: '@long' }, async ({ under, sandbox }) => {
  const policy = policyOf(limitFrom('7000.00', { sum: '15000.00', count: 5 }), {
    kind: 'deposit.confirm',
    when: { amountAtLeast: '9000.01' },
    approval: { by: 1 },
  })
  const page = await (await under(policy)).pageOf(OPERATOR)
  const [first, second, small] = [
    await sandbox.announceDeposit('ana@example.com', '9000'),
    await sandbox.announceDeposit('ana@example.com', '9000.5'),
    await sandbox.announceDeposit('ana@example.com', '60'),
  ]
  await confirmDeposit(page, first, '9000')

  await page.goto(`/deposits?reference=${encodeURIComponent(second)}`)
  await page.getByLabel('Bank’s reference').fill(`ATL-${second}`)
  await page.getByLabel('Amount on the statement').fill('9000.5')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    'Over your limit. Your limit in 24 hours: 9,000.00 of 15,000.00 BZD, 1 of 5 changes used',
  )
  await expect(dialog.getByRole('button', { name: /^Confirm deposit/ })).toHaveAttribute('aria-disabled', 'true')
  // The approval that it would need is not asked for: nobody can lift this limit.
  await expect(dialog.getByLabel('Reason for approval')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // What was typed stays.
  await expect(page.getByLabel('Bank’s reference')).toHaveValue(`ATL-${second}`)

  await confirmDeposit(page, small, '60')
  await page.goto('/')
  const home = page.locator('section', { hasText: 'Your limits in 24 hours' })
  await expect(home).toContainText('Confirm a deposit, amounts of 7,000.00 BZD or more')
  await expect(home).toContainText('9,000.00 of 15,000.00 BZD, 1 of 5 changes')
  await home.getByRole('link', { name: 'Policy' }).click()
  await expect(page.getByRole('heading', { name: 'Policy', level: 1 })).toBeVisible()
  await expect(
    page.getByText('Confirming a deposit is limited to 15,000.00 BZD and 5 changes per person in 24 hours'),
  ).toBeVisible()
  await expect(page.getByText(digestOf(policy))).toBeVisible()
  await expectAccessible(page)
})

/** Of both halves of the command endpoint. */
interface Answer {
  readonly draft: { readonly id: string }
  readonly command: { readonly outcome: { readonly limit?: true } }
}

test('denies one of two concurrent changes past a limit', {
  tag: '@long',
}, async ({ under, sandbox }) => {
  const page = await (await under(policyOf(limitFrom('16000.00', { sum: '30000.00' })))).pageOf(OPERATOR)
  const references = [
    await sandbox.announceDeposit('ben@example.com', '16000'),
    await sandbox.announceDeposit('ben@example.com', '16001'),
  ]
  await page.goto('/')
  const post = (path: string, body: unknown): Promise<Answer> =>
    page.evaluate(
      async ([to, text]) => {
        const headers = { 'x-console': '1', 'content-type': 'application/json' }
        return await (await fetch(to, { method: 'POST', headers, body: text })).json()
      },
      [path, JSON.stringify(body)] as const,
    )
  const draft = async (referenceId: string, statementAmount: string): Promise<string> => {
    const params = { referenceId, bankReference: `BEN-${referenceId}`, statementAmount }
    return (await post('/api/commands', { kind: 'deposit.confirm', params })).draft.id
  }
  const ids = [await draft(references[0] ?? '', '16000'), await draft(references[1] ?? '', '16001')]
  const outcomes = await Promise.all(ids.map(async (id) => (await post(`/api/commands/${id}`, {})).command.outcome))
  expect(outcomes.filter(({ limit }) => limit === true)).toHaveLength(1)
  const denied = ids[outcomes.findIndex(({ limit }) => limit === true)]
  await page.goto(`/activity/${denied}`)
  await expect(page.getByText('over a policy limit')).toBeVisible()
  await expect(page.getByText('Over your limit')).toBeVisible()
})

test('a run over a statement stops at the first line beyond the limit, and that line waits as before', {
  tag: '@long',
}, async ({ under, sandbox }) => {
  const page = await (await under(policyOf(limitFrom('20000.00', { sum: '20200.00' })))).pageOf('admin@example.com')
  const lines = [
    { reference: await sandbox.announceDeposit('cleo@example.com', '20100'), amount: '20100.00' },
    { reference: await sandbox.announceDeposit('cleo@example.com', '20200'), amount: '20200.00' },
  ]
  await takeStatement(page, lines)
  await page.getByRole('button', { name: 'Confirm 2 ready deposits' }).click()
  await expect(page.getByRole('dialog')).toContainText('The run stops at the first line over the limit.')
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm 2 deposits' }).click()
  await expect(page.getByText(/line 2: Over the limit of .+\. Home of that person shows what is left\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm 1 ready deposit' })).toBeVisible()
})

test('a deposit over the limit is handed to a colleague, who confirms it', { tag: '@long' }, async ({
  under,
  sandbox,
}) => {
  const { pageOf } = await under(policyOf(limitFrom('31000.00', { sum: '62500.00' })))
  const [page, colleague] = [await pageOf(OPERATOR), await pageOf('admin@example.com')]
  const [first, second] = [
    await sandbox.announceDeposit('ana@example.com', '32000'),
    await sandbox.announceDeposit('ana@example.com', '31500'),
  ]
  await colleague.goto('/')
  await confirmDeposit(page, first, '32000')
  await page.goto(`/deposits?reference=${encodeURIComponent(second)}`)
  await expect(
    page.getByText(/^Over your limit for amounts of 31,000.00 BZD or more\. You may confirm 30,500.00 BZD more/),
  ).toBeVisible()
  await page.getByLabel('Bank’s reference').fill(`ATL-${second}`)
  await page.getByLabel('Amount on the statement').fill('31500')
  await page.getByLabel('Hand it to a colleague').selectOption({ label: 'admin@example.com' })
  await page.getByLabel('Reason, optional').fill('The bank closes at five')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Hand over' }).click()
  await expect(page.getByText('Handed to admin@example.com by you')).toBeVisible()

  // Nobody reloads Home.
  const work = colleague.locator('section', { has: colleague.getByRole('heading', { name: 'Work' }) })
  const row = work.getByRole('listitem').filter({ hasText: 'handed to you' })
  await expect(row).toContainText('31,500.00')
  await expect(row).toContainText('The bank closes at five')
  await expectAccessible(colleague)
  await row.getByRole('link', { name: 'Open deposit' }).click()
  await expect(colleague.getByLabel('Bank’s reference')).toHaveValue(`ATL-${second}`)
  await expect(colleague.getByLabel('Amount on the statement')).toHaveValue('31500')
  await colleague.getByRole('button', { name: /^Confirm deposit/ }).click()
  await colleague
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(colleague.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await colleague.goto('/')
  await expect(work).toBeVisible()
  await expect(row).toHaveCount(0)
})
