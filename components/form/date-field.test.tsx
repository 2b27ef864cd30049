import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DateField } from './date-field.tsx'

const markupOf = (initial: string, relative: boolean) =>
  renderToStaticMarkup(<DateField label="Day" name="day" initial={initial} zone="UTC" relative={relative} />)

test.each([
  ['2026-02-30', false],
  ['2026-02-30', true],
  ['today', false],
  ['tomorrow', true],
])('refuses %s and leaves it in the field', (initial, relative) => {
  const markup = markupOf(initial, relative)
  expect(markup).toContain(`value="${initial}"`)
  expect(markup).toContain('aria-invalid="true"')
  expect(markup).toContain(`“${initial}” is not a day. Write it as 2026-11-20.`)
})

test('refuses a day of a far year and names the range', () => {
  expect(markupOf('9999-12-31', true)).toContain(
    '“9999-12-31” is not a day of the years 1970 to 9998. Write it as 2026-11-20.',
  )
})

test.each([
  ['', false],
  ['2028-02-29', false],
  ['today-6', true],
])('accepts “%s” and shows the time zone', (initial, relative) => {
  const markup = markupOf(initial, relative)
  expect(markup).toContain('aria-invalid="false"')
  expect(markup).toContain('in UTC')
})
