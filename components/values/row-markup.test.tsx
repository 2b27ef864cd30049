import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Money } from './money.tsx'
import { Reference } from './reference.tsx'
import { StateBadge } from './state-badge.tsx'

const USER = '00000000-0000-4000-8000-000000000011'

test.each<[string, number, ReactElement]>([
  [
    'a link with an id, its mark and its copy button',
    7,
    <Reference key="" short mark value={USER} name="User id" href="/users/a" />,
  ],
  ['an amount', 3, <Money key="" amount="250.00000000" />],
  ['a state', 4, <StateBadge key="" state="QUEUED" />],
])('%s stands in %i elements at most: hints and lines of icons stand in a page once', (_what, most, value) => {
  const html = renderToStaticMarkup(value)
  expect(html.match(/<[a-z]/g)?.length).toBeLessThanOrEqual(most)
  expect(html).not.toContain('role="tooltip"')
  expect(html).not.toContain('<path d="M20')
})
