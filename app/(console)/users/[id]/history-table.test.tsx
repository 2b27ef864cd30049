import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { SavedViews } from '#components/table/saved-views.tsx'
import { problemOf } from '#lib/contract/problem-of.ts'
import { readHistoryFilter } from '#lib/users/history-filter.ts'
import { HistoryTable } from './history-table.tsx'

const here = vi.hoisted(() => ({ query: '' }))

vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(here.query),
  usePathname: () => '/users/ana',
  useRouter: () => ({ push: () => {}, refresh: () => {} }),
}))

type Search = NonNullable<Parameters<typeof HistoryTable>[0]['search']>

const SECOND: Search = { matches: 20, first: 61, last: 140, total: 161, fault: null, starts: [60], hasMore: true }

type Reading = Parameters<typeof HistoryTable>[0]['reading']

const NO_ROWS = { kind: 'rows', rows: [] } as const

function markupOf(
  query: string,
  search: Search | null,
  first: string | null = null,
  shown: Reading | null = null,
): string {
  here.query = query
  const { filter, faults } = readHistoryFilter(new URLSearchParams(query))
  const hasMore = search?.hasMore ?? false
  return renderToStaticMarkup(
    <SavedViews value={{ table: 'account-history', views: [], first, params: [] }}>
      <HistoryTable
        account="ana"
        reading={shown ?? { ...NO_ROWS, ...(search === null ? { total: 0 } : { hasMore }) }}
        filter={filter}
        faults={faults}
        search={search}
        names={{ states: [], types: [] }}
        missingScopes={[]}
      />
    </SavedViews>,
  )
}

/** Null when the link leads nowhere. */
function link(markup: string, name: string): string | null {
  const all = markup.match(/<a .*?<\/a>/g) ?? []
  const found = all.find((text) => text.endsWith(`>${name}</a>`) || text.includes(`aria-label="${name}"`))
  if (found === undefined) throw new Error(`no link ${name}`)
  if (found.includes('aria-disabled=')) return null
  return /href="([^"]*)"/.exec(found)?.[1]?.replaceAll('&amp;', '&') ?? null
}

test('a filtered page leads to the pages around it', () => {
  const markup = markupOf('state=QUEUED&size=50&view=none&after=60of161', SECOND)
  const rest = '/users/ana?state=QUEUED&size=50&view=none'
  expect(markup).toContain('Rows 61–140 of 161 searched: 20 matches.')
  expect(link(markup, 'Search further')).toBe(`${rest}&after=60.140of161`)
  expect(link(markup, 'Next page')).toBe(`${rest}&after=60.140of161`)
  expect(link(markup, 'Previous page')).toBe(rest)
  expect(link(markup, 'First page')).toBe(rest)
  expect(link(markup, 'Last page')).toBeNull()
  expect(link(markup, '100 rows a page')).toBe('/users/ana?state=QUEUED&size=100&view=none&after=60of161')
})

test('the end of the history leads no further', () => {
  const markup = markupOf('state=QUEUED', { ...SECOND, starts: [], first: 1, last: 161, matches: 0, hasMore: false })
  expect(markup).toContain('Rows 1–161 of 161 searched: 0 matches.')
  expect(markup).toContain('No match in the rows searched.')
  expect([link(markup, 'Search further'), link(markup, 'Next page')]).toEqual([null, null])
})

test('a fault on the way is said and can be asked again', () => {
  const fault = problemOf('service', { status: 429, retryAfterSeconds: 60 })
  const query = 'state=QUEUED&after=60of161'
  const markup = markupOf(query, { ...SECOND, matches: 0, fault, hasMore: false })
  expect(markup).toContain('Too many requests. The service needs a pause.')
  expect(markup).toContain('The search did not finish.')
  expect(markup).not.toContain('No match')
  expect(markup).toMatch(/aria-disabled="true"[^>]*>.*Try again<.*You can try again in .*1 min/)
  expect(link(markup, 'Next page')).toBeNull()
})

test('a changed filter keeps the page size and the view', () => {
  const markup = markupOf('state=QUEUED&size=50&view=v-1&after=60of161', SECOND)
  expect(markup.match(/<input type="hidden"[^>]*>/g)).toEqual([
    '<input type="hidden" name="size" value="50"/>',
    '<input type="hidden" name="view" value="v-1"/>',
  ])
  expect(link(markup, 'Clear')).toBe('/users/ana?size=50&view=v-1')
  expect(link(markupOf('state=QUEUED', SECOND, 'v-1'), 'Clear')).toBe('/users/ana?view=none')
})

test.each([
  ['P2P', false],
  ['DEPOSIT', true],
  ['TOP_UP', true],
] as const)('offers a queued %s for confirmation: %s', (type, offered) => {
  const time = { createdAt: '2026-07-01T10:00:00.0000000Z', state: 'QUEUED' }
  const amounts = { debit: '5.00000000', credit: '5.00000000', fee: '', note: '', noteCutFrom: null }
  const value = { reference: 'R-1', from: 'ana', to: 'ben', type, ...time, ...amounts }
  const markup = markupOf('', null, null, { kind: 'rows', rows: [{ readable: true, value }], total: 1 })
  expect(markup.includes('href="/deposits?reference=R-1"')).toBe(offered)
})

test.each([
  ['', true],
  ['state=QUEUED', true],
  ['from=never', false],
] as const)('offers an export of the filter %j: %s', (query, offered) => {
  expect(markupOf(query, null).includes('Export CSV')).toBe(offered)
})
