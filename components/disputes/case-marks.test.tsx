import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TurnMark, UnreadMark } from './case-marks.tsx'

const words = (page: React.ReactNode): string =>
  renderToStaticMarkup(page)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

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
