import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Row } from '#lib/contract/endpoint.ts'
import type { Column } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { useTableAddress } from './table-address.tsx'
import { TablePreferences } from './table-preference.tsx'
import { type Reading, useCompleteTable, usePageTable } from './use-table.ts'

const here = vi.hoisted(() => ({ query: '', isPhone: false }))

vi.mock('#components/ui/use-phone.ts', () => ({ usePhone: () => here.isPhone }))

vi.mock('next/navigation', () => ({
  usePathname: () => '/cases',
  useSearchParams: () => new URLSearchParams(here.query),
  useRouter: () => ({ push: () => {}, refresh: () => {} }),
}))

interface Case {
  readonly name: string
  readonly age: number
  readonly state: string
}

const columns: readonly Column<Case>[] = [
  { id: 'name', head: 'Name', always: true, cell: ({ name }) => <a href={`/cases/${name}`}>{name}</a> },
  { id: 'age', head: 'Age', align: 'right', cell: ({ age }) => `${age} d`, compare: (a, b) => a.age - b.age },
  { id: 'state', head: 'State', cell: ({ state }) => state, matches: ({ state }, wanted) => state === wanted },
]
const addressable = { sortable: ['age'], filterable: ['state'] }

const readable = (name: string, age: number, state = 'OPEN'): Row<Case> => ({
  readable: true,
  value: { name, age, state },
})
const cases = [readable('b', 2), { readable: false as const }, readable('c', 3, 'RESOLVED'), readable('a', 1)]

interface CasesProps {
  reading: Reading<Case>
  kind?: 'complete' | 'page'
}

function Cases({ reading, kind = 'complete' }: CasesProps) {
  const address = useTableAddress('at hand', addressable)
  const useKit = kind === 'complete' ? useCompleteTable : usePageTable
  const kit = useKit({ name: 'cases', columns, reading, address, rowId: ({ name }) => name })
  return <DataTable kit={kit} title="Cases" label="Cases" empty="No cases." />
}

interface Kept {
  density?: 'normal' | 'compact'
  hidden?: readonly string[]
}

function render(props: CasesProps, { density = 'normal', hidden = [] }: Kept = {}): string {
  return renderToStaticMarkup(
    <TablePreferences density={density} hiddenColumns={{ cases: hidden }}>
      <Cases {...props} />
    </TablePreferences>,
  )
}

/** What stands in the body, row by row. */
function rowsOf(html: string): readonly string[] {
  const body = /<tbody[^>]*>(.*)<\/tbody>/s.exec(html)?.[1] ?? ''
  return [...body.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

const range = (html: string): string => /<footer.*?<p[^>]*>(.*?)<\/p>/s.exec(html)?.[1] ?? ''

beforeEach(() => {
  here.query = ''
  here.isPhone = false
})

test('rows at hand are sorted by the address; one that cannot be read stands last, either way', () => {
  const reading: Reading<Case> = { kind: 'rows', rows: cases }
  const unreadable = 'Row 2 cannot be read: its data is missing or not valid.'
  expect(rowsOf(render({ reading }))).toEqual(['b 2 d OPEN', unreadable, 'c 3 d RESOLVED', 'a 1 d OPEN'])
  here.query = 'sort=age'
  expect(rowsOf(render({ reading }))).toEqual(['a 1 d OPEN', 'b 2 d OPEN', 'c 3 d RESOLVED', unreadable])
  here.query = 'sort=-age'
  expect(rowsOf(render({ reading }))).toEqual(['c 3 d RESOLVED', 'b 2 d OPEN', 'a 1 d OPEN', unreadable])
})

test('sorts a column up, down, then as the rows came', () => {
  const reading: Reading<Case> = { kind: 'rows', rows: cases }
  expect(render({ reading })).toContain('href="/cases?sort=age"')
  here.query = 'sort=age'
  expect(render({ reading })).toMatch(/aria-sort="ascending"[\s\S]*href="\/cases\?sort=-age"/)
  here.query = 'sort=-age'
  expect(render({ reading })).toMatch(/aria-sort="descending"[\s\S]*href="\/cases"/)
})

test('rows at hand are filtered by the address, and no filter hides a row that cannot be read', () => {
  here.query = 'state=RESOLVED'
  const html = render({ reading: { kind: 'rows', rows: cases } })
  expect(rowsOf(html)).toEqual([expect.stringContaining('Row 2 cannot be read'), 'c 3 d RESOLVED'])
  expect(range(html)).toBe('1–2 of 2')
})

test('rows at hand are cut into pages, after sorting', () => {
  const rows = Array.from({ length: 45 }, (_, age) => readable(`c${age}`, age))
  here.query = 'sort=-age&page=3'
  const html = render({ reading: { kind: 'rows', rows } })
  expect(rowsOf(html)).toEqual(['c4 4 d OPEN', 'c3 3 d OPEN', 'c2 2 d OPEN', 'c1 1 d OPEN', 'c0 0 d OPEN'])
  expect(range(html)).toBe('41–45 of 45')
})

test('names unreadable rows of a page by their place', () => {
  here.query = 'page=3&sort=age'
  const html = render({ kind: 'page', reading: { kind: 'rows', rows: cases, total: 1204 } })
  expect(rowsOf(html)).toEqual(['b 2 d OPEN', expect.stringContaining('Row 42 cannot'), 'c 3 d RESOLVED', 'a 1 d OPEN'])
  expect(range(html)).toBe('41–44 of 1,204')
  expect(html).toContain('href="/cases?page=61&amp;sort=age"')
})

test('columns that a person has hidden are not there; one that must be is', () => {
  const html = render({ reading: { kind: 'rows', rows: cases } }, { hidden: ['age', 'name'] })
  expect(rowsOf(html)[0]).toBe('b OPEN')
})

test('labels every value of a card on phones', () => {
  here.isPhone = true
  const html = render({ reading: { kind: 'rows', rows: [readable('b', 2)] } })
  expect(rowsOf(html)).toEqual(['Name b Age 2 d State OPEN'])
  expect(html.match(/role="cell"/g)).toHaveLength(3)
})

test('rows on their way have outlines, a page full of them', () => {
  const html = render({ reading: { kind: 'loading' } })
  expect(rowsOf(html)).toHaveLength(20)
  expect(html).toContain('aria-busy="true"')
})

test('nothing to show says why; a failure and a page past the end never look like that', () => {
  expect(render({ reading: { kind: 'rows', rows: [] } })).toContain('No cases.')
  here.query = 'page=9'
  const past = render({ kind: 'page', reading: { kind: 'rows', rows: [], total: 45 } })
  expect(past).not.toContain('No cases.')
  expect(past).toContain('There is no page 9')
  expect(past).toContain('href="/cases?page=3"')
  const problem = { kind: 'unreachable', status: null, code: null, title: null, traceId: null } as const
  const failed = render({ reading: { kind: 'problem', problem: { ...problem, retryAfterSeconds: null, scope: null } } })
  expect(failed).not.toContain('No cases.')
  expect(failed).toContain('The service cannot be reached')
  expect(failed).toContain('Try again')
})

test('gives readable rows the id of their value', () => {
  const html = render({ reading: { kind: 'rows', rows: cases }, kind: 'page' })
  expect([...html.matchAll(/data-row="(.*?)"/g)].map(([, id]) => id)).toEqual(['b', '1', 'c', 'a'])
})
