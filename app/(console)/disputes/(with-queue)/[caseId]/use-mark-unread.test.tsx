// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSeen } from '#components/disputes/case-marks.tsx'
import { orderKey, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { type MarkUnread, reportSeen, useMarkUnread } from './use-unseen.ts'

const CASE = '00000000-0000-4000-8000-0000000c0001'
const messageOf = (id: string, createdAt: string) =>
  ({ id, createdAt, senderUserId: 'ana', isSystemMessage: false, body: '' }) as unknown as ThreadMessage
const first = messageOf('m1', '2026-07-01T10:00:00Z')
const later = messageOf('m2', '2026-07-01T11:00:00Z')

let mark: MarkUnread
let requests: string[]
let answerReport: () => void

function Case() {
  mark = useMarkUnread(CASE, [first], 'me')
  return mark.words
}

beforeEach(async () => {
  requests = []
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (_path: string, { method = '' }: RequestInit) => {
    requests.push(method)
    if (method === 'POST') await new Promise<void>((done) => (answerReport = done))
    return Response.json({ ok: true })
  })
  await renderPage(<Case />)
})
afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

const markUnread = () => act(async () => mark.run?.())

test('is marked unread only after a read mark on its way', async () => {
  const stop = reportSeen(CASE, first)
  await vi.advanceTimersByTimeAsync(800)
  await markUnread()
  expect(requests).toEqual(['POST'])
  await act(async () => answerReport())
  expect(requests).toEqual(['POST', 'DELETE'])
  expect(document.body.textContent).toBe('Marked unread.')
  stop()
})

test('is called unread until a later message is seen', async () => {
  await markUnread()
  expect(document.body.textContent).toBe('Marked unread.')
  await act(async () => announceSeen(CASE, orderKey(later)))
  expect(document.body.textContent).toBe('')
})
