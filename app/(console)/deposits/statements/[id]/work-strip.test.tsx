// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { RunSummary, StatementWork } from '#lib/statements/statement-view.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { WorkStrip } from './work-strip.tsx'

const WORK: StatementWork = {
  work: null,
  by: 'ana@example.com',
  done: 1,
  total: 1204,
  stopping: false,
  pausedUntil: null,
  cutOff: false,
  goesOn: false,
  ended: '',
  wantsCode: false,
  run: 1,
  summary: null,
}

const rendered = (work: Partial<StatementWork>) =>
  renderToStaticMarkup(
    <WorkStrip dismissalKey="a" work={{ ...WORK, ...work }} fault={null} onStop={() => {}} onFocusLost={() => {}} />,
  )

test.each([
  ['look', 'Looking up'],
  ['confirm', 'Confirming'],
] as const)('beside the bar of a %s the counts stand in words', (work, word) => {
  const strip = rendered({ work })
  expect(strip).toContain('role="progressbar"')
  expect(strip.replace(/<[^>]+>/g, '')).toContain(`${word} for ana@example.com: 1 of 1,204.`)
})

test('says which interrupted work continues automatically', () => {
  expect(rendered({ cutOff: true, goesOn: true })).toContain('continues automatically when ana@example.com is back')
  expect(rendered({ cutOff: true })).toContain('Start it again')
})

test('without work there is no bar, and how the latest ended is said', () => {
  expect(rendered({ ended: 'Stopped.' }).replace(/<[^>]+>/g, '')).toBe('Stopped.')
})

const SUMMARY: RunSummary = {
  batch: 'a',
  isLatest: true,
  confirmed: 58,
  sum: '4591.36',
  notDone: 1,
  notKnown: 1,
}

const textOf = (markup: string): string => markup.replace(/<svg.*?<\/svg>/g, '').replace(/<[^>]+>/g, '')

test.each<[Partial<StatementWork>, string]>([
  [{ summary: SUMMARY }, '58 confirmed, 4,591.36 BZD · 1 not done · 1 not known'],
  [{ summary: { ...SUMMARY, notDone: 0, notKnown: 0 } }, '58 confirmed, 4,591.36 BZD'],
  [
    { summary: { ...SUMMARY, confirmed: 0, sum: '0', notKnown: 0 }, ended: 'Stopped after 1 of 4.' },
    'None confirmed · 1 not doneStopped after 1 of 4.',
  ],
  [
    { summary: { ...SUMMARY, isLatest: false }, ended: 'Stopped.' },
    'Stopped.58 confirmed, 4,591.36 BZD · 1 not done · 1 not known',
  ],
])('sums up the latest run: %#', (work, words) => {
  const strip = rendered(work)
  expect(textOf(strip)).toBe(words)
  expect(strip).toContain('aria-label="Dismiss"')
})

test('shows what a run has confirmed so far', () => {
  const strip = textOf(rendered({ work: 'confirm', summary: SUMMARY }))
  expect(strip).toContain('Confirming for ana@example.com: 1 of 1,204, 4,591.36 BZD confirmed.')
  expect(strip).not.toContain('not done')
})

test('reports that the end of a run takes the focus away', async () => {
  const lost = vi.fn()
  const show = (work: StatementWork['work'], stopping = false) =>
    renderPage(
      <WorkStrip
        dismissalKey="a"
        work={{ ...WORK, work, stopping }}
        fault={null}
        onStop={() => {}}
        onFocusLost={lost}
      />,
    )
  await show('confirm')
  const stop = document.querySelector('button')
  await show(null)
  expect(lost).not.toHaveBeenCalled()
  await show('confirm')
  document.querySelector('button')?.focus()
  await show('confirm', true)
  expect(document.activeElement).toHaveProperty('disabled', false)
  await show(null)
  expect([lost.mock.calls.length, stop?.isConnected]).toEqual([1, false])
  await closePage()
})

test('shows hidden characters in the name of who works', () => {
  const by = 'ana\u202E'
  expect(textOf(rendered({ work: 'look', by }))).toContain('for ana[U+202E]:')
  expect(rendered({ cutOff: true, goesOn: true, by })).toContain('when ana[U+202E] is back')
})
