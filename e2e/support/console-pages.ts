import type { Page } from '@playwright/test'
import { issueCard } from './card-tasks.ts'
import { confirmDeposit } from './deposit-tasks.ts'
import { expect } from './fixtures.ts'
import { ANA, type SandboxControls } from './sandbox-controls.ts'
import { signIn } from './sign-in.ts'
import { takeStatement } from './statement-tasks.ts'
import { openMerchant, openTerminal } from './terminal-tasks.ts'

/** What the pages are about. */
export interface World {
  /** Of a deposit that waits. */
  readonly reference: string
  readonly card: string
  readonly lastFour: string
  /** Addresses. */
  readonly terminal: string
  readonly statement: string
  readonly change: string
}

export type Pages = readonly (readonly [name: string, path: (world: World) => string])[]

export const paymentPages: Pages = [
  ['home', () => '/'],
  ['deposits', () => '/deposits'],
  ['a deposit', ({ reference }) => `/deposits?reference=${encodeURIComponent(reference)}`],
  ['a deposit that is not there', () => '/deposits?reference=nothing'],
  ['transactions', () => '/transactions'],
  ['a transaction', ({ reference }) => `/transactions/${encodeURIComponent(reference)}`],
  ['users', () => '/users'],
  ['a user', () => `/users/${ANA}`],
  ['cards of a user', () => `/users/${ANA}/cards`],
  ['what a user may do', () => `/users/${ANA}/access`],
  ['a user id that is none', () => '/users/nothing'],
]

export const workPages: Pages = [
  ['cards', () => '/cards'],
  ['issuing a card', () => '/cards/issue'],
  ['a card', ({ card }) => `/cards/${card}`],
  ['terminals', () => '/terminals?merchant=merchant-001'],
  ['a terminal', ({ terminal }) => terminal],
  ['statements', () => '/deposits/statements'],
  ['a statement', ({ statement }) => statement],
  ['end-of-day report', () => '/deposits/report'],
  ['approvals', () => '/approvals'],
  ['activity', () => '/activity'],
  ['a change', ({ change }) => change],
]

/** These need no world. */
export const controlPages: Pages = [
  ['disputes', () => '/disputes'],
  ['security', () => '/security'],
  ['the policy', () => '/security/policy'],
]

/** Every page of an operator, with content. */
export const pages: Pages = [...paymentPages, ...workPages, ...controlPages]

/** For those who work on cases. */
export const casePages: Pages = [
  ['the queue', () => '/disputes'],
  ['categories', () => '/disputes/categories'],
  ['snippets', () => '/disputes/snippets'],
]

/** For those who administer. */
export const adminPages: Pages = [
  ['who is signed in', () => '/security/sessions'],
  ['rehearsing a policy', () => '/security/policy/rehearsal'],
]

/** For those who are not signed in. */
export const openPages: Pages = [
  ['sign-in', () => '/sign-in'],
  ['signed out', () => '/signed-out'],
]

/** Looked at by `npm run test:long` alone: pages like one that is in the list. */
export const furtherPages: Pages = [
  ['a transaction that is not there', () => '/transactions/nothing'],
  ['a user that is not there', () => '/users/00000000-0000-4000-8000-0000000000ff'],
  ['a card that is not there', () => '/cards/00000000-0000-4000-8000-0000000000ff'],
]

/** Signed in as an operator, who has done something in every area. */
export async function prepare(page: Page, sandbox: SandboxControls): Promise<World> {
  const [reference, confirmed] = [
    await sandbox.announceDeposit('ana@example.com', '250', 'Top-up'),
    await sandbox.announceDeposit('ana@example.com', '1200.5'),
  ]
  await signIn(page, 'operator@example.com')
  await confirmDeposit(page, confirmed, '1200.5')
  const { id, last4 } = await issueCard(page, { userId: ANA })
  await openMerchant(page, 'merchant-001')
  await openTerminal(page, 'PAX-A920-0001')
  const terminal = new URL(page.url()).pathname
  await takeStatement(page, [
    { reference, amount: '250.00' },
    { reference, amount: '12.00', text: 'x'.repeat(200) },
    { reference: 'R'.repeat(80), amount: '1234.00' },
  ])
  const statement = new URL(page.url()).pathname
  await expect(page.getByText('Looking up for')).toHaveCount(0)
  await page.goto('/activity')
  const change = await page
    .getByRole('link', { name: /^Confirm deposit/ })
    .first()
    .getAttribute('href')
  return { reference, card: id, lastFour: last4, terminal, statement, change: change ?? '' }
}
