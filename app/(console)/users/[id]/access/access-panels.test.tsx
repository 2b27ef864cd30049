import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { scopes } from '#lib/contract/scopes.ts'
import { serviceWord } from '#lib/values/words.ts'
import { AccessPanels } from './access-panels.tsx'

test('every scope of the interface has its word, and one that it does not name stands as it came', () => {
  const held = ['core:disputes:resolve', 'core:vault:open']
  const lines = [
    ...renderToStaticMarkup(<AccessPanels access={{ roles: [], scopes: held }} />).matchAll(/<li.*?<\/li>/g),
  ].map(([line]) => line.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '))
  expect(lines).toHaveLength(scopes.length + 1)
  for (const scope of scopes) {
    const word = serviceWord('scope', scope)
    expect(word, scope).not.toBeNull()
    const line = lines.find((text) => text.includes(scope)) ?? ''
    expect(line).toContain(word)
    expect(line.includes('not held')).toBe(!held.includes(scope))
  }
  expect(lines.find((text) => text.includes('core:vault:open'))).toContain('held')
})
