// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { closePage, pressEsc, renderPage } from '#lib/testing/render-page.ts'
import { PeopleLoad, ReassignDialog } from './reassign-dialog.tsx'

const service = vi.hoisted(() => ({ ask: vi.fn(), send: vi.fn() }))
vi.mock('#components/service/ask-console.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  askConsole: service.ask,
}))
vi.mock('#components/command/command-client.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  sendAtOnce: service.send,
}))

const load = { cases: 2, overTarget: 0, unread: 0 }
const ben = { actor: 'sso:ben', name: 'Ben', awayUntil: '2026-12-03', ...load }
const cleo = { actor: 'sso:cleo', name: 'Cleo', awayUntil: null, ...load }
const me = { actor: 'sso:me', name: 'Me Myself', awayUntil: null, cases: 7, overTarget: 1, unread: null }

beforeEach(() => {
  service.send.mockReset()
  service.ask.mockResolvedValue({ status: 200, body: { ok: true, people: [ben, cleo], me, setsAbsences: true } })
})
afterEach(closePage)

const buttonNamed = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent === name)
const click = (target: HTMLElement | null | undefined) => act(async () => target?.click())

test('warns before assigning to someone who is away', async () => {
  const onReassign = vi.fn()
  await renderPage(
    <ReassignDialog
      {...{ act: 'Assign', title: 'Assign 2 cases', description: '', people: [ben, cleo], busy: false, faults: {} }}
      {...{ note: '', onNote: () => {}, onReassign, onClose: () => {} }}
    />,
  )
  const submit = () => document.querySelector<HTMLButtonElement>('button[type="submit"]')
  await click(document.querySelector<HTMLElement>('input[value="sso:cleo"]'))
  expect(submit()?.textContent).not.toContain('anyway')
  await click(document.querySelector<HTMLElement>('input[value="sso:ben"]'))
  expect(submit()?.textContent).toContain('Assign to Ben anyway')
  expect(document.body.textContent).toContain('Ben is away until 2026-12-03.')
  await click(submit())
  expect(onReassign).toHaveBeenCalledWith('sso:ben', '')
})

test('asks before a typed note is lost', async () => {
  await renderPage(
    <ReassignDialog
      {...{ act: 'Reassign', title: 'Reassign', description: '', people: [ben], busy: false, faults: {} }}
      {...{ note: '', onNote: () => {}, onReassign: () => {}, onClose: () => {} }}
    />,
  )
  await click(document.querySelector<HTMLElement>('input[value="sso:ben"]'))
  expect(isUnloadGuarded()).toBe(false)
  const note = document.querySelector('textarea')
  if (note !== null) note.value = 'Call her after 14:00.'
  expect(isUnloadGuarded()).toBe(true)
})

test('can be left meanwhile, and comes back with a fault', async () => {
  const onClose = vi.fn()
  const dialog = (busy: boolean, faults = {}) =>
    renderPage(
      <ReassignDialog
        {...{ act: 'Reassign', title: 'Reassign', description: '', people: [ben], busy, faults }}
        {...{ note: '', onNote: () => {}, onReassign: () => {}, onClose }}
      />,
    )
  await dialog(false)
  await click(document.querySelector<HTMLElement>('input[value="sso:ben"]'))
  for (const leave of [pressEsc, () => click(buttonNamed('Cancel'))]) {
    await click(document.querySelector<HTMLElement>('button[type="submit"]'))
    await dialog(true)
    await leave()
    expect(document.querySelector('[role="dialog"]')).toBeNull()
    for (const field of ['to', 'caseId']) {
      await dialog(false, { [field]: 'Choose someone else.' })
      expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Choose someone else.')
    }
    expect(document.querySelector('input:checked')).not.toBeNull()
  }
  expect(onClose).not.toHaveBeenCalled()
  await pressEsc()
  expect(onClose).toHaveBeenCalled()
})

test('assigns to no one who is no longer offered', async () => {
  const onReassign = vi.fn()
  const dialog = (people: (typeof cleo)[]) =>
    renderPage(
      <ReassignDialog
        {...{ act: 'Assign', title: 'Assign 2 cases', description: '', people, busy: false, faults: {} }}
        {...{ note: '', onNote: () => {}, onReassign, onClose: () => {} }}
      />,
    )
  await dialog([cleo])
  await click(document.querySelector<HTMLElement>('input[value="sso:cleo"]'))
  await dialog([])
  await click(document.querySelector<HTMLElement>('button[type="submit"]'))
  expect(onReassign).not.toHaveBeenCalled()
})

const absenceOf = (name: string) => document.querySelector<HTMLElement>(`[aria-label="Away… ${name}"]`)

async function save(until: string): Promise<void> {
  const field = document.querySelector<HTMLInputElement>('[name="until"]')
  if (field !== null) field.value = until
  await click(document.querySelector<HTMLElement>('button[type="submit"]'))
}

test('sets an absence and shows it beside the name', async () => {
  const page = await renderPage(<PeopleLoad onChosen={() => {}} />)
  expect(page.textContent).toContain('Ben2 openaway until 2026-12-03')
  await click(absenceOf('Me Myself'))
  service.send.mockResolvedValueOnce({ ok: true, command: commandView({ class: 'done', lines: [], steps: [] }) })
  service.ask.mockResolvedValue({
    status: 200,
    body: { people: [ben], me: { ...me, awayUntil: '2026-12-09' }, setsAbsences: false },
  })
  await save('2026-12-09')
  expect(service.send).toHaveBeenCalledWith({
    id: expect.any(String),
    ...{ owner: 'sso:me', kind: 'assignee.away', params: { person: 'sso:me', until: '2026-12-09' } },
  })
  expect(page.textContent).toContain('You7 open, 1 over target, unread not knownaway until 2026-12-09')
  expect(document.activeElement).toBe(absenceOf('Me Myself'))
})

test('offers absences of others to those who may set them', async () => {
  await renderPage(<PeopleLoad onChosen={() => {}} />)
  expect(absenceOf('Ben')).not.toBeNull()
  await closePage()
  service.ask.mockResolvedValue({ status: 200, body: { people: [ben], me, setsAbsences: false } })
  await renderPage(<PeopleLoad onChosen={() => {}} />)
  expect(absenceOf('Ben')).toBeNull()
  expect(absenceOf('Me Myself')).not.toBeNull()
})

test('says why an absence was not saved, and keeps the text', async () => {
  const page = await renderPage(<PeopleLoad onChosen={() => {}} />)
  await click(absenceOf('Cleo'))
  service.send.mockResolvedValueOnce({ ok: false, fields: { until: 'Enter a day such as 2026-12-03.' }, problem: null })
  await save('soon')
  expect(page.textContent).toContain('Enter a day such as 2026-12-03.')
  service.send.mockResolvedValueOnce(null)
  await save('soon')
  expect(page.textContent).toContain('It is not known whether this was saved.')
  service.send.mockResolvedValueOnce({ ok: true, command: commandView(refusedUnsent('Refused', '')) })
  await save('soon')
  expect(page.textContent).toContain('This was not saved.')
  expect(document.querySelector<HTMLInputElement>('[name="until"]')?.value).toBe('soon')
})

test('tells colleagues of one name apart', async () => {
  const [one, other] = ['sso:00000000-0000-4000-8000-00000000abcd', 'sso:00000000-0000-4000-8000-00000000ef01']
  const people = [cleo, ...[one, other].map((actor) => ({ ...ben, actor }))]
  await renderPage(
    <ReassignDialog
      {...{ act: 'Assign', title: 'Assign 2 cases', description: '', people, busy: false, faults: {} }}
      {...{ note: '', onNote: () => {}, onReassign: () => {}, onClose: () => {} }}
    />,
  )
  const labels = [...document.querySelectorAll('label')].map(({ textContent }) => textContent)
  expect(labels).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Cleo2 open/), expect.stringMatching(/^Ben …00ef01/)]),
  )
  await click(document.querySelector<HTMLElement>(`input[value="${one}"]`))
  expect(document.querySelector('button[type="submit"]')?.textContent).toContain('Assign to Ben …00abcd anyway')
  expect(document.body.textContent).toContain('Ben …00abcd is away')
  await closePage()
  service.ask.mockResolvedValue({ status: 200, body: { people, me, setsAbsences: true } })
  await renderPage(<PeopleLoad onChosen={() => {}} />)
  expect([...document.querySelectorAll('li a')].map(({ textContent }) => textContent)).toEqual([
    ...['You', 'Cleo', 'Ben …00abcd', 'Ben …00ef01'],
  ])
  expect(absenceOf('Ben …00ef01')).not.toBeNull()
})
