// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readApprovalFilter } from '#lib/activity/approval-filter.ts'
import type { RequestRow } from '#lib/commands/command.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { ApprovalsTable } from './approvals-table.tsx'

const here = vi.hoisted(() => ({ query: '', push: vi.fn(), refresh: vi.fn(), change: () => {} }))
vi.mock('next/navigation', () => ({
  usePathname: () => '/approvals',
  useSearchParams: () => new URLSearchParams(here.query),
  useRouter: () => ({ push: here.push, refresh: here.refresh }),
}))
vi.mock('#components/frame/waiting-watch.tsx', () => ({
  useWaiting: () => ({ toDecide: ['c-1', 'c-2'] }),
  onWaitingChange: (act: () => void) => {
    here.change = act
    return () => {}
  },
}))

const AT = '2026-11-20T10:00:00.000Z'
const row = (id: string, change: Partial<RequestRow> = {}): RequestRow => ({
  ...{ id, kind: 'deposit.confirm', title: `Confirm deposit ${id}`, target: 'D', actorName: 'Olga' },
  ...{ amount: '600.00000000', reason: 'On the statement', askedAt: AT, expiresAt: AT, needed: 1, decisions: [] },
  outcome: { class: 'approval', reason: 'On the statement', needed: 1, approvedBy: [], expiresAt: AT },
  ...{ status: 'waiting', endedAt: null, overdue: null },
  ...change,
})
const NO_RULES = { class: 'refused', sent: false, title: 'The policy has changed', advice: '', problem: null } as const

beforeEach(() => {
  here.push.mockReset()
  here.refresh.mockReset()
})
afterEach(closePage)

async function show(query: string, rows: readonly RequestRow[], { known = true, cut = false } = {}) {
  here.query = query
  const { filter, faults } = readApprovalFilter(new URLSearchParams(query))
  const found = { rows, total: rows.length, cut }
  return await renderPage(
    <ApprovalsTable filter={filter} faults={faults} kinds={['deposit.confirm']} found={found} known={known} />,
  )
}

const text = (of: Element | null | undefined) => (of?.textContent ?? '').replace(/\s+/g, ' ').trim()
const rowTexts = (page: HTMLElement) => [...page.querySelectorAll('[data-row]')].map(text)
const hrefs = (page: HTMLElement) => [...page.querySelectorAll('[data-row] a')].map((link) => link.getAttribute('href'))

test('shows what waits, with reason and reminder', async () => {
  const page = await show('', [row('c-1', { overdue: '3 h' })])
  expect(rowTexts(page)[0]).toMatch(/Confirm deposit c-1.*600\.00.*Olga.*On the statement.*waiting for 3 h.*0 of 1/)
  expect(text(page.querySelector('nav [aria-current="page"]'))).toBe('Waiting for me 2')
})

test('shows who decided, why, and what became of it', async () => {
  const given = { by: 'Ada', approves: true, reason: 'As booked', at: AT }
  const page = await show('view=decided', [
    row('c-1', { status: 'sent', decisions: [given], outcome: { class: 'done', lines: [], steps: [] } }),
    row('c-2', { status: 'declined', decisions: [{ ...given, approves: false, reason: 'No notice' }] }),
    row('c-3', { status: 'ended', outcome: NO_RULES }),
  ])
  const [sent, declined, ended] = rowTexts(page)
  expect(sent).toMatch(/Approved and sent.*Approved by Ada,.*As booked.*done/)
  expect(declined).toMatch(/Declined.*Declined by Ada,.*No notice.*Not sent/)
  expect(ended).toMatch(/Ended, not sent.*Not sent: The policy has changed/)
})

test('leads to the decision, to the change of its author, and keeps the filter', async () => {
  expect(hrefs(await show('kind=deposit.confirm', [row('c-1')]))).toEqual(['/approvals/c-1?kind=deposit.confirm'])
  expect(hrefs(await show('view=requested', [row('c-1')]))).toEqual(['/activity/c-1'])
  expect(hrefs(await show('view=decided', [row('c-1')]))).toEqual(['/approvals/c-1'])
})

test('moves through the rows with j and k', async () => {
  const page = await show('', [row('c-1'), row('c-2')])
  const press = (key: string) =>
    act(async () => void document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))
  const [first, second] = page.querySelectorAll<HTMLAnchorElement>('[data-row] a')
  await press('j')
  expect(document.activeElement).toBe(first)
  await press('j')
  expect(document.activeElement).toBe(second)
  await press('k')
  expect(document.activeElement).toBe(first)
})

test('keeps focus on its request when an earlier one goes', async () => {
  const page = await show('', [row('c-1'), row('c-2')])
  const link = page.querySelectorAll<HTMLAnchorElement>('[data-row] a')[1]
  await act(async () => link?.focus())
  await show('', [row('c-2')])
  expect(document.activeElement).toBe(link)
  expect(link?.getAttribute('href')).toBe('/approvals/c-2')
})

test('keeps focus in the table when its request goes', async () => {
  const page = await show('', [row('c-1'), row('c-2')])
  await act(async () => page.querySelector<HTMLAnchorElement>('[data-row] a')?.focus())
  await show('', [row('c-2')])
  expect(document.activeElement).toBe(page.querySelector('table'))
})

test('takes no focus after it was given up', async () => {
  const page = await show('', [row('c-1'), row('c-2')])
  const link = page.querySelector<HTMLAnchorElement>('[data-row] a')
  await act(async () => link?.focus())
  await act(async () => link?.blur())
  await show('', [row('c-2')])
  expect(document.activeElement).toBe(document.body)
})

test('says what an empty list would show', async () => {
  expect(text(await show('', []))).toContain('Nothing waits for your decision')
  expect(text(await show('view=requested', []))).toContain('You have asked for no approvals')
  expect(text(await show('view=decided', []))).toContain('No decisions yet')
  expect(text(await show('view=decided&outcome=sent', []))).toContain('No approvals match this filter')
})

test('a list without known scopes never looks empty', async () => {
  const words = text(await show('', [], { known: false }))
  expect(words).toContain('Your scopes could not be read')
  expect(words).not.toContain('Nothing waits')
})

test('says when more wait than were checked', async () => {
  expect(text(await show('', [row('c-1')], { cut: true }))).toContain('More requests wait than this list can check')
})

test('says which part of the address is not valid', async () => {
  const page = await show('view=all', [])
  expect(text(page)).toContain('“all” is not a list of approvals')
  expect(text(page)).not.toContain('Export CSV')
})

test('reads again when something was decided elsewhere', async () => {
  await show('', [row('c-1')])
  await act(async () => here.change())
  expect(here.refresh).toHaveBeenCalledOnce()
})

test('puts the filter into the address', async () => {
  const page = await show('view=decided&page=3', [])
  const form = page.querySelector('form')
  form?.querySelector<HTMLInputElement>('[name="person"]')?.setAttribute('value', 'me')
  await fire(form, 'submit')
  expect(here.push).toHaveBeenCalledWith('/approvals?view=decided&person=me', { scroll: false })
})

test('Clear empties what was chosen and not shown yet', async () => {
  const form = (await show('view=decided&person=me', [])).querySelector('form')
  const [person, outcome] = form?.querySelectorAll<HTMLInputElement>('[name="person"], [name="outcome"]') ?? []
  if (outcome !== undefined) outcome.value = 'declined'
  const clear = [...(form?.querySelectorAll('a') ?? [])].find((link) => text(link) === 'Clear')
  clear?.addEventListener('click', (event) => event.preventDefault())
  await fire(clear ?? null, 'click')
  expect([person?.value, outcome?.value]).toEqual(['', ''])
})
