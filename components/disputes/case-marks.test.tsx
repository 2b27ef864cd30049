// @vitest-environment happy-dom
import { act } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { announceAssignedCases } from '#components/frame/assigned-cases.tsx'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { AnswerDue, announceSeen, TurnMark, UnreadMark, UnreadOf } from './case-marks.tsx'

const words = (page: React.ReactNode): string =>
  renderToStaticMarkup(page)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

afterEach(closePage)

test('unread messages are told by number and word, and none by nothing', () => {
  expect(words(<UnreadMark count={1_204} />)).toBe('1,204 unread')
  expect(renderToStaticMarkup(<UnreadMark count={0} />)).toBe('')
})

test('whose turn it is stands there in words, with an icon that nobody needs', () => {
  const html = renderToStaticMarkup(<TurnMark turn="us" />)
  expect(words(<TurnMark turn="us" />)).toBe('Waiting for us')
  expect(words(<TurnMark turn="against" />)).toBe('Waiting for the other side')
  expect(words(<TurnMark turn="us" short />)).toBe('Us')
  expect(html).toMatch(/<svg[^>]*aria-hidden="true"/)
})

test('says when an answer is due, and when it is overdue', async () => {
  // Without a frame, the page was made in 1970.
  expect(words(<AnswerDue by="1970-11-30T12:00:00.000Z" />)).toBe('Answer due 30 Nov 12:00 UTC')
  expect(words(<AnswerDue by="2026-11-30T12:00:00.000Z" />)).toBe('Answer due 30 Nov 2026 12:00 UTC')
  const shown = async (ms: number) =>
    (await renderPage(<AnswerDue by={new Date(Date.now() + ms).toISOString()} />)).textContent
  expect(await shown(60_000)).toMatch(/^Answer due \d+ \w+( \d{4})? \d\d:\d\d$/)
  expect(await shown(-1_000)).toMatch(/^No answer by \d+ \w+( \d{4})? \d\d:\d\d$/)
  expect((await renderPage(<AnswerDue by={null} />)).textContent).toBe('')
})

test('a message marked unread elsewhere is unread again', async () => {
  const thread = { turn: null, lastAt: null, lastBy: null }
  const push = (unread: number, newest: string | null) =>
    act(async () => {
      const cases = [{ id: 'CASE', reason: null, thread: { ...thread, unread, newest }, openSince: null }]
      announceAssignedCases({ cases, more: { assigned: 0, watched: 0 }, snoozed: 0 }, true)
    })
  const page = await renderPage(<UnreadOf id="case" listed={null} />)
  await push(1, 'k')
  expect(page.textContent).toBe('1 unread')
  await act(async () => announceSeen('case', 'k'))
  // A push that was read before the mark.
  await push(2, 'k')
  expect(page.textContent).toBe('')
  await push(0, null)
  await push(1, 'k')
  expect(page.textContent).toBe('1 unread')
  await act(async () => announceSeen('case', 'l'))
  await push(2, 'l')
  expect(page.textContent).toBe('')
})
