import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Fault } from './fault.tsx'

test('says that a change may have been made, and where to look', () => {
  const html = renderToStaticMarkup(<Fault error={new Error('broken')} />)
  expect(html).toContain('may have been made')
  expect(html).toContain('href="/activity"')
  expect(html).not.toContain('Nothing was changed')
})
