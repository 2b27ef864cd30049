import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CaseParties } from '#lib/disputes/resolution.ts'
import { Message } from './thread-message.tsx'

const parties = { raisedByUserId: 'ana', counterpartyUserId: 'ben', fromAccountId: 'ana', toAccountId: 'ben' }
const unread = { ...parties, fromAccountId: null, toAccountId: null }

const render = (
  senderUserId: string | null,
  { follows = false, of = parties }: { follows?: boolean; of?: CaseParties } = {},
) =>
  renderToStaticMarkup(
    <Message
      message={{
        id: 'm',
        senderUserId,
        isSystemMessage: senderUserId === null,
        body: 'It never came\u202e.',
        createdAt: '2026-11-16T10:04:31.1234567Z',
      }}
      follows={follows}
      parties={of}
      me="eve"
    />,
  )

const part = (html: string, pattern: RegExp) => pattern.exec(html)?.[1]

/** The word, the icon and the ground by which one of them is known. */
const marksOf = (html: string) => [
  part(html, /<strong[^>]*>(.*?)</),
  part(html, /<header[^>]*><svg[^>]*><use href="#(icon-[\w-]+)/),
  part(html, /<p [^>]*class="[^"]*(bg-[\w-]+)/),
]

test('sender, recipient and staff differ by word, by icon and by ground, also while the transaction cannot be read', () => {
  for (const of of [parties, unread]) {
    const all = ['ana', 'ben', 'eve'].map((who) => marksOf(render(who, { of })))
    for (const at of [0, 1, 2]) expect(new Set(all.map((marks) => marks[at])).size, `${at} of ${all}`).toBe(3)
    expect(all.flat()).not.toContain(undefined)
  }
})

test('a message that follows another one of the same person has no head, and a time of its own', () => {
  const html = render('ana', { follows: true })
  expect(html).not.toContain('<header')
  expect(html).toContain('aria-label="Sender"')
  expect(html).toMatch(/>10:04 UTC<\/time>/)
})

test('every time is a clock time, with the exact one, as the service gave it, on hover', () => {
  for (const html of [render('ana'), render(null)]) {
    expect(html).toMatch(/<time dateTime="2026-11-16T10:04:31\.1234567Z" data-time-first="local"[^>]*>10:04 UTC</)
    expect(html).toContain('It never came[U+202E].')
  }
})
