import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import type { SavedView } from '#lib/session/saved-view.ts'
import type { Column } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { SavedViews } from './saved-views.tsx'
import { SavedViewsPart } from './saved-views-part.tsx'
import { useTableAddress } from './table-address.tsx'
import { TablePreferences } from './table-preference.tsx'
import { useCompleteTable } from './use-table.ts'
import { differsFrom, type TableViews, viewAddress } from './view-address.ts'

const here = vi.hoisted(() => ({ query: '' }))

vi.mock('next/navigation', () => ({
  usePathname: () => '/cases',
  useSearchParams: () => new URLSearchParams(here.query),
  useRouter: () => ({ push: () => {}, refresh: () => {} }),
}))

const old: SavedView = {
  id: 'v1',
  name: 'Old ones',
  shared: false,
  by: null,
  mayChange: true,
  mayRemove: true,
  query: { age: 'old', sort: '-age' },
  hidden: ['note'],
  density: 'compact',
  gone: [],
}
const theirs: SavedView = {
  ...old,
  id: 'v2',
  name: 'Theirs',
  shared: true,
  by: 'Ben',
  mayChange: false,
  mayRemove: false,
  query: {},
}
const views = (change: Partial<TableViews> = {}): TableViews => ({
  table: 'cases',
  views: [old, theirs],
  first: null,
  params: ['size', 'sort', 'age'],
  ...change,
})

const columns: readonly Column<string>[] = [
  { id: 'name', head: 'Name', always: true, cell: (name) => name },
  { id: 'age', head: 'Age', cell: () => '', compare: () => 0, matches: () => true },
  { id: 'note', head: 'Note', cell: () => '' },
]
const addressable = { sortable: ['age'], filterable: ['age'] }

function Cases() {
  const address = useTableAddress('at hand', addressable)
  const reading = { kind: 'rows', rows: [] } as const
  const kit = useCompleteTable({ name: 'cases', columns, reading, address, rowId: String })
  return <DataTable kit={kit} title="Cases" label="Cases" empty="No cases." />
}

const render = (given: TableViews = views()): string =>
  renderToStaticMarkup(
    <TablePreferences density="normal" hiddenColumns={{}}>
      <SavedViews value={given}>
        <Cases />
      </SavedViews>
    </TablePreferences>,
  )

const menu = (chosen: SavedView | null, { changed = false, first = null as string | null } = {}): string =>
  renderToStaticMarkup(
    <SavedViewsPart
      views={views({ first })}
      list={[old, theirs]}
      chosen={chosen}
      now={old}
      changed={changed}
      onSaved={() => {}}
      onChosen={() => {}}
    />,
  )

const buttonOf = (html: string): string =>
  (/<button[^>]*popoverTarget.*?<\/button>/is.exec(html)?.[0] ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const heads = (html: string): readonly string[] =>
  [...html.matchAll(/<th\b.*?<\/th>/gs)].map(([head]) => head.replaceAll(/<[^>]*>/g, '').trim())

beforeEach(() => {
  here.query = ''
})

test('paints the chosen view first, else the person’s table', () => {
  const none = render()
  expect(buttonOf(none)).toBe('View')
  expect(heads(none)).toEqual(['Name', 'Age', 'Note'])
  here.query = 'view=v1&age=old&sort=-age'
  const chosen = render()
  expect(buttonOf(chosen)).toBe('View: Old ones')
  expect(heads(chosen)).toEqual(['Name', 'Age'])
  expect(chosen).toContain('data-density="compact"')
})

test('a table that is set otherwise than its view says that it was changed', () => {
  here.query = 'view=v1&age=young&sort=-age'
  expect(buttonOf(render())).toContain('changed')
  here.query = 'view=v1&sort=-age&age=old&page=3'
  expect(buttonOf(render())).not.toContain('changed')
})

test('names missing, unreadable and outdated views', () => {
  here.query = 'view=v9'
  expect(render()).toContain('This view was removed, or is not shared with you.')
  expect(render(views({ views: null }))).toContain('Saved views could not be read.')
  here.query = 'view=v1&age=old&sort=-age'
  expect(render(views({ views: [{ ...old, gone: ['the column “weight”'] }] }))).toContain(
    'uses the column “weight”, which this table no longer has.',
  )
})

test('the menu leads to each view and to none, and names who shared one and which opens first', () => {
  here.query = 'merchant=m&view=v1&age=old&page=2'
  const html = menu(old, { first: 'v1' })
  expect(html).toContain('href="/cases?merchant=m&amp;view=none"')
  expect(html).toContain('href="/cases?merchant=m&amp;view=v1&amp;age=old&amp;sort=-age"')
  expect(html).toContain('href="/cases?merchant=m&amp;view=v2"')
  expect(html).toContain('shared by Ben')
  expect(html).toContain('default')
  expect(html.match(/<a[^>]*aria-current="true"[^>]*>/g)).toHaveLength(1)
})

test('save is offered for what was changed, and only who may change a view is offered to', () => {
  expect(menu(old)).not.toContain('Save changes')
  expect(menu(old, { changed: true })).toContain('Save changes of this view')
  expect(menu(old)).toContain('Rename')
  const shared = menu(theirs, { changed: true })
  for (const act of ['Save changes', 'Rename', 'Remove']) expect(shared).not.toContain(act)
  expect(shared).toContain('Make default')
  const removable = menu({ ...theirs, mayRemove: true })
  expect([removable.includes('Remove'), removable.includes('Rename')]).toEqual([true, false])
  expect(menu(null)).toContain('Save as a new view')
})

test('without a view that opens first, the address of none is the plain one', () => {
  expect(viewAddress(new URLSearchParams('view=v1&age=old&size=50&page=2'), views(), null).toString()).toBe('')
  expect(differsFrom(old, { ...old, query: { sort: '-age', age: 'old' } })).toBe(false)
  expect(differsFrom(old, { ...old, density: 'normal' })).toBe(true)
})

test('shows saved views as tabs, the chosen one marked', () => {
  const tabs = (query: string, change: Partial<TableViews> = {}) => {
    here.query = query
    return renderToStaticMarkup(<SavedViews value={views(change)}>{null}</SavedViews>)
  }
  expect(tabs('view=v1&age=old').match(/aria-current="true"[^>]*href="([^"]*)"/)?.[1]).toBe(
    '/cases?view=v1&amp;age=old&amp;sort=-age',
  )
  expect(tabs('').match(/<bdi>[^<]*/g)).toEqual(['<bdi>No view', '<bdi>Old ones', '<bdi>Theirs'])
  for (const none of [[], null]) expect(tabs('', { views: none })).toBe('')
})
