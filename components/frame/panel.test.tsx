import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MoreLink } from './panel.tsx'

test.each([
  [0, null],
  [1, '1 more'],
  [1_204, '1,204 more'],
  [null, 'More'],
])('a list with %s more says so and leads to all of them', (count, words) => {
  const html = renderToStaticMarkup(<MoreLink count={count} href="/activity" />)
  if (words === null) return expect(html).toBe('')
  expect(html.replace(/<[^>]+>/g, '')).toBe(words)
  expect(html).toContain('href="/activity"')
})
