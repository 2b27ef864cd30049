// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { laterTimeFault } from '#lib/disputes/workspace/workspace.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { AnswerDialog, endOfSnooze, SnoozeDialog } from './snooze-dialog.tsx'

const seams = vi.hoisted(() => ({ close: () => {} }))
vi.mock('#components/frame/modal.tsx', () => ({
  Modal: ({ description, children, onClose }: { description: string; children: ReactNode; onClose: () => void }) => {
    seams.close = onClose
    return (
      <section>
        {description}
        {children}
      </section>
    )
  },
}))
vi.mock('#components/ui/dialog.tsx', () => ({ DialogFooter: () => null }))

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-11-20T10:00:00.000Z')

const dialog = (faults: Readonly<Record<string, string>> = {}) =>
  renderToStaticMarkup(<SnoozeDialog caseId="c1" busy={false} faults={faults} onSnooze={() => {}} onClose={() => {}} />)
const fieldOf = (markup: string) => /<input[^>]*name="at"[^>]*>/.exec(markup)?.[0] ?? ''

test('proposes a date in seven days until a party writes', () => {
  expect(dialog()).toMatch(/value="answer"[^>]*checked|checked[^>]*value="answer"/)
  const proposed = /value="([^"]+)"/.exec(fieldOf(dialog()))?.[1] ?? ''
  expect(Math.abs(Date.parse(proposed) - (Date.now() + 7 * DAY_MS))).toBeLessThan(2 * 60_000)
})

test('says that every snooze ends when a party writes', () => {
  expect(dialog()).toContain('until then, or until a party writes')
})

test('shows the fault of the date at its field', () => {
  const markup = dialog({ until: 'This time has passed.' })
  const id = /aria-describedby="([^"]+)"/.exec(fieldOf(markup))?.[1]
  expect(fieldOf(markup)).toContain('aria-invalid="true"')
  expect(markup.split(`id="${id}"`)[1]).toContain('This time has passed.')
})

test('takes a missing date for a fault, in no choice for none', () => {
  expect(laterTimeFault(endOfSnooze('answer', '', NOW_MS), NOW_MS)).toBe('Enter a day and a time.')
  expect(laterTimeFault(endOfSnooze('answer', '2026-11-10T10:00', NOW_MS), NOW_MS)).toContain('has passed')
  expect(endOfSnooze('answer', '5', NOW_MS)).toBe('')
  const written = ['2026-11-30 12:00', '2026-11-30T12:00'].map((at) => endOfSnooze('answer', at, NOW_MS))
  expect(written).toEqual(Array(2).fill(new Date('2026-11-30T12:00').toISOString()))
  expect(endOfSnooze('day', '', NOW_MS)).toBe('2026-11-21T10:00:00.000Z')
})

test.each(['2026-11-31 12:00', '2027-02-29T12:00'])('refuses %s, which is not a day', (at) => {
  expect(laterTimeFault(endOfSnooze('answer', at, NOW_MS), NOW_MS)).toBe('Enter a day and a time.')
})

test('offers two, five and seven days for an answer', () => {
  const markup = renderToStaticMarkup(<AnswerDialog onChoose={() => {}} onClose={() => {}} />)
  for (const words of ['In 2 days', 'In 5 days', 'In 7 days', 'At a day and time', 'in UTC']) {
    expect(markup).toContain(words)
  }
  expect(markup).toMatch(/value="two"[^>]*checked|checked[^>]*value="two"/)
  expect(markup).toMatch(
    /<input[^>]*name="at"[^>]*value="\d{4}-\d\d-\d\d \d\d:\d\d"|value="\d{4}-\d\d-\d\d \d\d:\d\d"[^>]*name="at"/,
  )
})

test('can be left meanwhile, and comes back with what was typed', async () => {
  const close = vi.fn()
  const show = (busy: boolean, faults = {}) =>
    renderPage(<SnoozeDialog caseId="c1" busy={busy} faults={faults} onSnooze={() => {}} onClose={close} />)
  const page = await show(false)
  const field = () => page.querySelector<HTMLInputElement>('[name="at"]')
  Object.assign(field() ?? {}, { value: '2026-12-24 18:00' })
  await fire(page.querySelector('form'), 'submit')
  await show(true)
  await act(async () => seams.close())
  expect([page.textContent, close.mock.calls]).toEqual(['', []])
  await show(false, { until: 'Too late.' })
  expect([page.textContent, field()?.value]).toEqual([expect.stringContaining('Too late.'), '2026-12-24 18:00'])
  await closePage()
})
