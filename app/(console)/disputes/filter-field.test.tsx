// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TableAddress } from '#components/table/table-address.tsx'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { userIdFault } from '#lib/values/ids.ts'
import { amountFault, FilterField, FilterSelect, reasonFault } from './filter-field.tsx'

const router = vi.hoisted(() => ({ replace: vi.fn(), go: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))

const addressWith = (filters: Record<string, string>, pending = false) =>
  ({
    state: { filters },
    pending,
    go: router.go,
    hrefFor: ({ filters }: { filters: Record<string, string> }) => `/disputes?${new URLSearchParams(filters)}`,
  }) as unknown as TableAddress

let field: HTMLInputElement | null

async function show(filter: 'text' | 'party' | 'amountFrom', address = addressWith({ age: 'week' })): Promise<void> {
  const texts = { label: 'Reason', placeholder: '', clear: 'Clear' }
  const faultOf = { text: reasonFault, party: userIdFault, amountFrom: amountFault }[filter]
  const page = await renderPage(<FilterField address={address} filter={filter} faultOf={faultOf} {...texts} />)
  field = page.querySelector('input')
}

async function type(text: string): Promise<void> {
  if (field !== null) field.value = text
  await fire(field, 'input')
}

beforeEach(() => {
  router.replace.mockReset()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(closePage)

test('filters by text once typing pauses', async () => {
  await show('text')
  await type('par')
  await type(' parcel ')
  expect(router.replace).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(router.replace.mock.calls).toEqual([['/disputes?age=week&text=parcel', { scroll: false }]])
})

test('does not filter by text that was deleted again', async () => {
  await show('text')
  await type('par')
  await type('')
  vi.runAllTimers()
  expect(router.replace).not.toHaveBeenCalled()
})

test('puts no card number into the address', async () => {
  await show('text')
  await type('paid with 4111 1111 1111 1111')
  vi.runAllTimers()
  expect(router.replace).not.toHaveBeenCalled()
  expect(document.body.textContent).toContain('Full card numbers are never searched')
  await type('paid with 1111')
  vi.runAllTimers()
  expect(router.replace.mock.calls).toEqual([['/disputes?age=week&text=paid+with+1111', { scroll: false }]])
  expect(document.body.textContent).not.toContain('Full card numbers')
})

test('adds the text to a filter that was chosen meanwhile', async () => {
  await show('text')
  await type('par')
  await show('text', addressWith({ age: 'week' }, true))
  vi.runAllTimers()
  expect(router.replace).not.toHaveBeenCalled()
  await show('text', addressWith({ claim: 'mine' }))
  vi.runAllTimers()
  expect(router.replace.mock.calls).toEqual([['/disputes?claim=mine&text=par', { scroll: false }]])
})

test('filters again if another filter overtook the text', async () => {
  await show('text')
  await type('par')
  vi.runAllTimers()
  await show('text', addressWith({ claim: 'mine' }))
  vi.runAllTimers()
  expect(router.replace).toHaveBeenLastCalledWith('/disputes?claim=mine&text=par', { scroll: false })
  await show('text', addressWith({ claim: 'mine', text: 'par' }))
  await show('text', addressWith({ claim: 'mine' }))
  vi.runAllTimers()
  expect(router.replace).toHaveBeenCalledTimes(2)
})

test.for([
  ['party', '00000000-0000-4000-8000', '00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000011'],
  ['amountFrom', '1,', '1,250.00', '1250.00'],
] as const)('filters by %s once it is complete', async ([filter, part, whole, value]) => {
  await show(filter)
  await type(part)
  vi.runAllTimers()
  expect(router.replace).not.toHaveBeenCalled()
  expect(document.querySelector('[role="status"]')?.textContent).toBe('')
  await type(whole)
  vi.runAllTimers()
  expect(router.replace.mock.calls).toEqual([[`/disputes?age=week&${filter}=${value}`, { scroll: false }]])
})

test('does not filter a page that was left', async () => {
  await show('text')
  await type('par')
  await renderPage(null)
  vi.runAllTimers()
  expect(router.replace).not.toHaveBeenCalled()
})

test('filters by an amount as it is typed by people', async () => {
  await show('amountFrom')
  await type('1,250.00')
  await fire(field?.form ?? null, 'submit')
  expect(router.go.mock.calls).toEqual([[{ filters: { age: 'week', amountFrom: '1250.00' } }]])
})

test('forgets the refused amount once the filter is removed', async () => {
  await show('amountFrom', addressWith({ amountFrom: '100' }))
  await type('12,5')
  await fire(field?.form ?? null, 'submit')
  expect(document.querySelector('[role="status"]')?.textContent).toContain('Use a point')
  await fire(document.querySelector('[aria-label="Clear"]'), 'click')
  expect(document.querySelector('[role="status"]')?.textContent).toBe('')
  expect(field?.value).toBe('')
})

test('forgets the refused amount once the address changes', async () => {
  await show('amountFrom', addressWith({ amountFrom: '100' }))
  await type('12,5')
  await fire(field?.form ?? null, 'submit')
  await show('amountFrom', addressWith({ amountFrom: '200' }))
  expect(document.querySelector('[role="status"]')?.textContent).toBe('')
  expect(field?.value).toBe('200')
})

test('tells assignees of one name apart', async () => {
  const options = ['sso:00abcd', 'sso:00ef01'].map((value) => ({ value, name: 'Ben', count: 1, note: '' }))
  const cleo = { value: 'sso:00cccc', name: 'Cleo', count: 2, note: '' }
  const select = { address: addressWith({}), filter: 'assignee', label: 'Assignee', any: 'anyone' } as const
  const page = await renderPage(<FilterSelect {...select} options={[...options, cleo]} />)
  expect([...page.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    ...['anyone', 'Ben …00abcd (1)', 'Ben …00ef01 (1)', 'Cleo (2)'],
  ])
})
