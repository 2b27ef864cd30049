// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everyOpenCase, type QueueRow, type QueueView } from '#lib/disputes/queue/queue.ts'
import type { Person } from '#lib/disputes/workspace/workspace.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { AssignBar } from './assign-bar.tsx'
import { usePickedCases } from './picked-cases.tsx'

interface Assignment {
  readonly caseIds: readonly string[]
  readonly to: unknown
  readonly from?: string
}

const service = vi.hoisted(() => ({ ask: vi.fn() }))
vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  askConsole: service.ask,
}))

const eve = { actor: 'sso:eve', name: 'Eve' }
const cleo = { actor: 'sso:cleo', name: 'Cleo', cases: 1, overTarget: 0, unread: 0, awayUntil: null }
const me = { actor: 'sso:me', name: 'Me Myself', cases: 4, overTarget: 1, unread: 2, awayUntil: '2026-12-09' }
const filter = { ...everyOpenCase, assignee: eve.actor }
const rowsOf = (from: number, to: number): readonly QueueRow[] =>
  Array.from({ length: to - from }, (_, at) => ({
    id: `case-${from + at}`,
    status: 'OPEN',
    claim: { name: 'Eve', mine: false },
  })) as unknown as readonly QueueRow[]
const viewOf = (rows: readonly QueueRow[], total: number): QueueView =>
  ({ filter, rows, total, unreadable: 0 }) as unknown as QueueView

const TOTAL = 120
let assigned: Assignment[]
/** One answer per request to assign. */
let answers: (({ caseIds }: Assignment) => { status: number; body: unknown } | null)[]

const done = ({ caseIds }: Assignment) => ({
  status: 200,
  body: { cases: caseIds.map((caseId) => ({ caseId, end: 'done', why: '' })) },
})

beforeEach(() => {
  assigned = []
  answers = []
  service.ask.mockImplementation(async (path: string, init?: RequestInit) => {
    if (init?.method === 'POST') {
      const body = JSON.parse(String(init.body)) as Assignment
      assigned.push(body)
      return (answers.shift() ?? done)(body)
    }
    if (path.endsWith('/assignments')) return { status: 200, body: { people: [{ ...cleo, ...eve }, cleo], me } }
    const page = Number(new URL(path, 'http://console').searchParams.get('page'))
    return { status: 200, body: { queue: viewOf(rowsOf((page - 1) * 100, Math.min(page * 100, TOTAL)), TOTAL) } }
  })
})
afterEach(closePage)

function Bar({ from, text = null }: { from: Person | null; text?: string | null }) {
  const view = viewOf(rowsOf(0, 20), TOTAL)
  const cases = usePickedCases(view.rows, { ...filter, text })
  return (
    <>
      <button type="button" onClick={() => cases.pick(cases.all, true)}>
        Select 20
      </button>
      <AssignBar {...{ cases, view, from }} address="assignee=sso%3Aeve&page=2" onAssigned={async () => {}} />
    </>
  )
}

const click = (target: HTMLElement | null | undefined) => act(async () => target?.click())
const press = (words: string) =>
  click([...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(words)))

async function reassignAll(to: string): Promise<string> {
  const page = await renderPage(<Bar from={eve} />)
  await press('Select all 120 of this filter')
  await press('Reassign…')
  await vi.waitFor(() => expect(document.body.textContent).toContain('Reassign 120 cases of Eve'))
  expect([...document.querySelectorAll('fieldset label')].map(({ textContent }) => textContent)).toEqual([
    'Cleo1 open',
    'Meaway until 2026-12-094 open, 1 over target, 2 unread',
    'Nobody',
  ])
  await click(document.querySelector<HTMLElement>(`input[value="${to}"]`))
  await press('Reassign to')
  return page.textContent ?? ''
}

test('reassigns all cases of a colleague in bounded requests', async () => {
  expect(await reassignAll('sso:cleo')).toContain('120 cases assigned to Cleo.')
  expect(assigned.map(({ caseIds, to, from }) => [caseIds.length, to, from])).toEqual(
    [50, 50, 20].map((count) => [count, { person: 'sso:cleo', note: '' }, 'sso:eve']),
  )
  expect(new Set(assigned.flatMap(({ caseIds }) => caseIds)).size).toBe(TOTAL)
})

test('counts what was assigned, what changed and what was left', async () => {
  const some = ({ caseIds }: Assignment) => ({
    status: 200,
    body: {
      cases: caseIds.map((caseId, at) =>
        at < 38 ? { caseId, end: 'done', why: '' } : { caseId, end: 'changed', why: 'Assigned to Dora.' },
      ),
    },
  })
  answers = [some, () => null]
  const words = await reassignAll('none')
  expect(words).toContain('38 of 120 cases unassigned.')
  expect(words).toContain('12 cases changed in the meantime:')
  expect(words).toContain('50 cases not known yet:')
  expect(words).toContain('and 30 more.')
  expect(words).toContain('20 cases not tried, still selected.')
  expect(words).toContain('70 selected')
  expect(assigned).toHaveLength(2)
})

test('offers to unassign cases that other pages show', async () => {
  await renderPage(<Bar from={null} />)
  const named = (words: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(words))
  await click(named('Select 20'))
  await press('Select all 120 of this filter')
  expect(named('Unassign')?.getAttribute('aria-disabled')).toBe('false')
  await press('Unassign')
  expect(assigned.map(({ to }) => to)).toEqual(['none', 'none', 'none'])
})

test('selects nothing if a page cannot be read', async () => {
  service.ask.mockResolvedValue(null)
  const page = await renderPage(<Bar from={eve} />)
  await press('Select all 120 of this filter')
  expect(page.textContent).toContain('Nothing was selected.')
  expect(page.textContent).toContain('0 selected')
})

test('keeps what was selected in another filter meanwhile', async () => {
  let answer = (_ended: object) => {}
  answers = [() => new Promise((ended) => (answer = ended)) as never]
  const select = () => click([...document.querySelectorAll('button')].find((one) => one.textContent === 'Select 20'))
  await renderPage(<Bar from={null} />)
  await select()
  await press('Assign to me')
  const page = await renderPage(<Bar from={null} text="bicycle" />)
  await select()
  await act(async () => answer({ status: 200, body: { cases: [{ caseId: 'case-0', end: 'done', why: '' }] } }))
  await vi.waitFor(() => expect(page.textContent).toContain('assigned to you.'))
  expect(page.textContent).toContain('20 selected')
})

test('drops the selection with the filter', async () => {
  const page = await renderPage(<Bar from={eve} />)
  await press('Select all 120 of this filter')
  expect(page.textContent).toContain('120 selected')
  expect((await renderPage(<Bar from={eve} text="bicycle" />)).textContent).toContain('0 selected')
})
