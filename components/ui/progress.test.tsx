import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Progress } from './progress.tsx'

const CONTRAST_MIN = 3

const roles = readFileSync('app/globals.css', 'utf8')

/** The relative luminance (WCAG) of a role in a theme, of an `oklch()` without transparency. */
function luminance(role: string, theme: 'light' | 'dark'): number {
  const [, light = '', dark = ''] =
    new RegExp(`--${role}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(roles) ?? []
  const [lightness = 0, chroma = 0, hue = 0] = (theme === 'light' ? light : dark).split(' ').map(Number)
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const [red, green, blue] = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The role that colours a part: `bg-primary` is `primary`. */
const roleOf = (classes: string): string => /(?:^|\s)bg-([a-z-]+)/.exec(classes)?.[1] ?? ''

test.each(['light', 'dark'] as const)('the bar stands out from its track in the %s theme', (theme) => {
  const [track = '', bar = ''] = [
    ...renderToStaticMarkup(<Progress aria-label="Export" value={1} max={4} />).matchAll(/class="([^"]*)"/g),
  ].map(([, classes = '']) => roleOf(classes))
  expect([track, bar]).not.toContain('')
  const [brighter = 0, darker = 0] = [luminance(track, theme), luminance(bar, theme)].sort((one, other) => other - one)
  expect((brighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(CONTRAST_MIN)
})

test('how much is done is told in numbers too', () => {
  const bar = renderToStaticMarkup(<Progress aria-label="Confirming" value={5} max={4} />)
  expect(bar).toMatch(/role="progressbar" aria-valuemin="0" aria-valuemax="4" aria-valuenow="4"/)
})
