// @vitest-environment happy-dom
import { startTransition } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { readActivityFilter } from '#lib/activity/activity-filter.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { FilterForm } from './filter-form.tsx'

const here = vi.hoisted(() => ({ query: '', load: vi.fn() }))

afterEach(closePage)

vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(here.query),
  useRouter: () => ({ push: here.load, refresh: here.load }),
}))

function quickFilter(query: string, word: string): { href: string; isOn: boolean } {
  here.query = query
  const { filter } = readActivityFilter(new URLSearchParams(query))
  const markup = renderToStaticMarkup(<FilterForm filter={filter} people={[]} />)
  const nav = /<nav[^>]*aria-label="Quick filters".*?<\/nav>/.exec(markup)?.[0] ?? ''
  const link = nav.match(/<a .*?<\/a>/g)?.find((text) => text.endsWith(`${word}</a>`)) ?? ''
  const href = /href="([^"]*)"/.exec(link)?.[1] ?? ''
  return { href: href.replaceAll('&amp;', '&'), isOn: link.includes('aria-current="true"') }
}

const TODAY = 'from=today&to=today&zone=UTC'

test.each([
  ['', 'Today', `?${TODAY}`],
  [TODAY, 'Mine', `?person=me&${TODAY}`],
  [`person=me&${TODAY}`, 'Happened after all', `?person=me&outcome=late&${TODAY}`],
  [`outcome=late&${TODAY}`, 'Yesterday', '?outcome=late&from=yesterday&to=yesterday&zone=UTC'],
  ['outcome=late&text=DEP', 'Not known yet, or in progress', '?outcome=open&text=DEP'],
  ['size=50&page=3&open=c-1', 'Mine', '?size=50&person=me'],
])('a quick filter keeps the rest: %s, %s', (query, word, href) => {
  expect(quickFilter(query, word)).toEqual({ href: `/activity${href}`, isOn: false })
})

test.each([
  [TODAY, 'Today', ''],
  [`person=me&${TODAY}`, 'Today', '?person=me'],
  [`person=me&${TODAY}`, 'Mine', `?${TODAY}`],
  ['person=me&outcome=open', 'Not known yet, or in progress', '?person=me'],
])('an active quick filter removes itself alone: %s, %s', (query, word, href) => {
  expect(quickFilter(query, word)).toEqual({ href: `/activity${href}`, isOn: true })
})

test('shows what is asked once while it loads', async () => {
  here.query = ''
  here.load.mockImplementation(() => startTransition(() => new Promise<void>(() => {})))
  const { filter } = readActivityFilter(new URLSearchParams())
  const page = await renderPage(<FilterForm filter={filter} people={[]} />)
  const form = page.querySelector('form')
  await fire(form, 'submit')
  await fire(form, 'submit')
  expect(here.load).toHaveBeenCalledTimes(1)
})

test('puts no card number into the address', async () => {
  here.query = ''
  here.load.mockReset()
  const { filter } = readActivityFilter(new URLSearchParams())
  const page = await renderPage(<FilterForm filter={filter} people={[]} />)
  const field = page.querySelector<HTMLInputElement>('input[name="text"]')
  if (field !== null) field.value = '4111 1111 1111 1111'
  await fire(page.querySelector('form'), 'submit')
  expect(here.load).not.toHaveBeenCalled()
  expect(page.textContent).toContain('Card numbers are never looked up')
})

test.each([
  ['', 'America/Belize'],
  ['from=2026-11-20', 'UTC'],
  ['to=2026-11-20', 'UTC'],
  ['from=2026-11-20&zone=Asia/Tokyo', 'Asia/Tokyo'],
])('names the zone of the days shown: %s', async (query, zone) => {
  here.query = query
  const settings = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'America/Belize' }
  const local = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(settings)
  const { filter } = readActivityFilter(new URLSearchParams(query))
  const page = await renderPage(<FilterForm filter={filter} people={[]} />)
  local.mockRestore()
  expect(page.textContent).toContain(`or today-6, in ${zone}`)
})
