import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { countedTitle, UnreadCount } from './assigned-cases.tsx'

test('shows the unread count of own cases in the rail', () => {
  expect(renderToStaticMarkup(<UnreadCount count={2} />).replace(/<[^>]+>|&nbsp;|\u00a0/g, ' ')).toMatch(/2 +unread/)
  expect(renderToStaticMarkup(<UnreadCount count={0} />)).toBe('')
  const many = renderToStaticMarkup(<UnreadCount count={1_204} />)
  expect(many).toContain('title="1,204 unread in your cases"')
  expect(many).toContain('<span aria-hidden="true">99+</span><span class="sr-only">1,204</span>')
})

test('the title of a tab begins with how many messages are unread, where there are any', () => {
  expect(countedTitle(2, 'Dispute case')).toBe('(2) Dispute case · Operator Console')
  expect(countedTitle(0, 'Home')).toBe('Home · Operator Console')
})
