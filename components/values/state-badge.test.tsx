import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { StateOwner } from './state-badge.tsx'
import { StateBadge } from './state-badge.tsx'

test.each<[StateOwner, string, string]>([
  ['transaction', 'FAIL', 'Failed'],
  ['card', 'UNISSUED', 'Not activated yet'],
  ['case', 'OPEN', 'Open'],
  ['terminal', 'DISABLED', 'Disabled'],
  ['transaction', 'NEW_ONE', 'NEW_ONE'],
])('a state of a %s stands as a word, with the service’s own name on hover', (of, state, word) => {
  const html = renderToStaticMarkup(<StateBadge state={state} of={of} />)
  expect(html).toContain(`title="${state}"`)
  expect(
    html
      .replace(/<svg.*?<\/svg>/g, '')
      .replace(/<span role="tooltip".*/, '')
      .replace(/<[^>]+>/g, ''),
  ).toBe(word)
})
