import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { IdMark } from './id-mark.tsx'
import { Reference } from './reference.tsx'

const ID = '018f5e6a-0000-4000-8000-00000000a001'
const OTHER = '018f5e6a-0000-4000-8000-00000000a002'

const markIn = (html: string): string => /<svg[^>]*data-mark.*?<\/svg>/.exec(html)?.[0] ?? ''

test('an id has the same mark wherever it stands, and another id another one', () => {
  const alone = renderToStaticMarkup(<IdMark id={ID} />)
  for (const html of [
    renderToStaticMarkup(<Reference mark value={ID} name="User id" />),
    renderToStaticMarkup(<Reference mark short value={ID.toUpperCase()} name="User id" href="/users/a" />),
    renderToStaticMarkup(<Reference mark whole value={ID} name="User id" />),
  ]) {
    expect(markIn(html)).toBe(alone)
  }
  expect(renderToStaticMarkup(<IdMark id={OTHER} />)).not.toBe(alone)
})

test('hides the mark of an id from screen readers', () => {
  const html = renderToStaticMarkup(<Reference mark short value={ID} name="User id" href="/users/a" />)
  expect(markIn(html)).toContain('aria-hidden="true"')
  expect(markIn(html).replaceAll(/<[^>]*>/g, '')).toBe('')
  expect(/<a .*?<\/a>/s.exec(html)?.[0].replaceAll(/<[^>]*>/g, '')).toBe(ID)
  expect(html).toContain(`>${ID}<`)
})

test('what is no id of a person, merchant or case has no mark', () => {
  expect(markIn(renderToStaticMarkup(<Reference value="DEP-1" name="Reference" />))).toBe('')
})
