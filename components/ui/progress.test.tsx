import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { contrast } from '#lib/testing/contrast.ts'
import { Progress } from './progress.tsx'

const CONTRAST_MIN = 3

/** The role that colours a part: `bg-primary` is `primary`. */
const roleOf = (classes: string): string => /(?:^|\s)bg-([a-z-]+)/.exec(classes)?.[1] ?? ''

test.each(['light', 'dark'] as const)('the bar stands out from its track in the %s theme', (theme) => {
  const [track = '', bar = ''] = [
    ...renderToStaticMarkup(<Progress aria-label="Export" value={1} max={4} />).matchAll(/class="([^"]*)"/g),
  ].map(([, classes = '']) => roleOf(classes))
  expect([track, bar]).not.toContain('')
  expect(contrast(track, bar, theme)).toBeGreaterThanOrEqual(CONTRAST_MIN)
})

test('how much is done is told in numbers too', () => {
  const bar = renderToStaticMarkup(<Progress aria-label="Confirming" value={5} max={4} />)
  expect(bar).toMatch(/role="progressbar" aria-valuemin="0" aria-valuemax="4" aria-valuenow="4"/)
})
