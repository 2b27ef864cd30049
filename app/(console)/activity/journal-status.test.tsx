// @vitest-environment happy-dom
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import type { JournalCheck } from '#lib/activity/journal-check.ts'
import type { WitnessStatus } from '#lib/journal/witness.ts'
import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { BrokenJournal, CheckBadge, JournalStatus, WitnessBadge } from './journal-status.tsx'

afterEach(closePage)

const check: JournalCheck = {
  at: '2026-11-20T10:00:00.000Z',
  byName: 'admin@example.com',
  events: 12_418,
  root: 'ab12',
  faults: [],
}
const textOf = (markup: ReactElement): string => renderToStaticMarkup(markup).replace(/<[^>]+>/g, ' ')

test('says that nothing was checked before a check', () => {
  expect(textOf(<CheckBadge check={null} />)).toContain('Not checked yet')
})

test('counts the events of an intact journal', () => {
  expect(textOf(<CheckBadge check={check} />)).toMatch(/12,418 events checked on 2026-11-20 at\s+10:00 UTC/)
})

test('lists each fault, and what to do', () => {
  const broken = { ...check, faults: [{ sequence: 1_204, what: 'was changed after it was written' }] }
  expect(textOf(<CheckBadge check={broken} />)).toContain('Journal altered')
  const text = textOf(<BrokenJournal check={broken} />)
  expect(text).toContain('not intact')
  expect(text).toContain('Event 1,204 was changed after it was written')
  expect(text).toContain('Contact your administrator')
})

test('says when there may be more faults', () => {
  const broken = { ...check, faults: [{ sequence: 7, what: 'is missing' }] }
  expect(textOf(<BrokenJournal check={broken} />)).not.toContain('more')
  expect(textOf(<BrokenJournal check={{ ...broken, isCut: true }} />)).toContain('There may be more.')
})

test('keeps the focus while it checks, and checks once', async () => {
  const fetched = vi.fn(() => new Promise(() => {}))
  await renderPage(<JournalStatus latest={check} witness={null} />)
  vi.stubGlobal('fetch', fetched)
  const button = document.querySelector('button')
  await fire(button, 'click')
  await fire(button, 'click')
  expect(button?.textContent).toBe('Checking every event')
  expect(button).toHaveProperty('disabled', false)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('shows the latest check of a refreshed page', async () => {
  const page = await renderPage(<JournalStatus latest={check} witness={null} />)
  const faults = [{ sequence: 1_204, what: 'was changed after it was written' }]
  await renderPage(<JournalStatus latest={{ ...check, at: '2026-11-20T11:00:00.000Z', faults }} witness={null} />)
  expect(page.textContent).toContain('Journal altered')
  await renderPage(<JournalStatus latest={check} witness={null} />)
  expect(page.textContent).toContain('12,418 events checked')
})

test('shows an own check until a later one is known', async () => {
  const page = await renderPage(<JournalStatus latest={check} witness={null} />)
  const own = { ...check, at: '2026-11-20T11:00:00.000Z', events: 12_500 }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ ok: true, check: own })))
  await fire(document.querySelector('button'), 'click')
  await vi.waitFor(() => expect(page.textContent).toContain('12,500 events'))
  await renderPage(<JournalStatus latest={{ ...check }} witness={null} />)
  expect(page.textContent).toContain('12,500 events')
})

const witness: WitnessStatus = {
  size: 1_240,
  confirmedSize: 1_204,
  confirmedAt: '2026-11-20T10:00:00.000Z',
  lagSeconds: 20,
  conflict: null,
}

test.each([
  ['without one', null, 'No witness'],
  ['that is new', { ...witness, confirmedAt: null }, 'Witness has not confirmed yet'],
  ['that confirms', witness, 'Confirmed by the witness at 2026-11-20 10:00 UTC'],
  ['that is silent', { ...witness, lagSeconds: 301 }, 'Witness silent since 2026-11-20 10:00 UTC'],
  ['that disagrees', { ...witness, conflict: { size: 1_300 } }, 'Witness disagrees'],
])('says what a witness says, %s', (_name, status, words) => {
  expect(
    textOf(<WitnessBadge witness={status} />)
      .replace(/\s+/g, ' ')
      .trim(),
  ).toBe(words)
})

test('says how much the witness has confirmed', () => {
  expect(renderToStaticMarkup(<WitnessBadge witness={witness} />)).toContain('all but 36 of 1,240 entries')
})

test('says in a conflict that changes are stopped', async () => {
  await renderPage(<JournalStatus latest={check} witness={{ ...witness, conflict: { size: 1_300 } }} />)
  const alert = document.querySelector('[role=alert]')?.textContent
  expect(alert).toContain('confirmed 1,300 entries of the journal; this database has 1,240 entries')
  expect(alert).toContain('Changes are stopped.')
})
