import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { AccountMenu } from './account-menu.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

test('shows hidden characters in the operator’s name', () => {
  const html = renderToStaticMarkup(
    <AccountMenu name={'mia\u202E'} roles={null} theme="system" timeFirst="local" notifications={null} />,
  )
  expect(html.match(/mia\[U\+202E\]/g)).toHaveLength(3)
})
