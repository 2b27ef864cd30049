// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { itemsAt, ThreadLog } from './thread-log.tsx'
import { useSentBelow } from './use-unseen.ts'

vi.mock('./use-case-workspace.ts', () => ({ useCaseWorkspace: () => ({ workspace: null }) }))

afterEach(async () => {
  await closePage()
  vi.restoreAllMocks()
})

const parties = { raisedByUserId: 'ana', counterpartyUserId: 'ben', fromAccountId: null, toAccountId: null }

const message = { id: 'm', createdAt: '2026-07-01T10:00:00Z', senderUserId: 'ana', isSystemMessage: false, body: '' }

const items = Array.from(
  { length: 100 },
  (_, at) => ({ kind: at === 50 ? 'new' : 'day', key: `${at}`, day: '' }) as const,
)

test('renders a long thread first where reading begins', () => {
  const keysAt = (opening: Parameters<typeof itemsAt>[0]) => itemsAt(opening, items).map(({ key }) => Number(key))
  const read = items.filter(({ kind }) => kind !== 'new')
  expect(keysAt({ at: 'end' }).at(-1)).toBe(99)
  expect(itemsAt({ at: 'top' }, read)[0]?.key).toBe('0')
  expect(keysAt({ at: 'unread', id: 'm' })).toContain(50)
  expect(keysAt({ at: 'unread', id: 'm' })[0]).toBeLessThan(50)
})

test.each([
  [900, 12],
  [1440, 20],
])('a screen of %d px has %d items at first', (height, count) => {
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(height)
  expect(itemsAt({ at: 'end' }, items)).toHaveLength(count)
  expect(itemsAt({ at: 'unread', id: 'm' }, items)).toHaveLength(count)
})

interface ThreadProps {
  outgoing: number
  unread?: boolean
  messages?: readonly object[]
}

const Thread = ({ outgoing, unread = false, messages = unread ? [message] : [] }: ThreadProps) => (
  <ThreadLog
    caseId="00000000-0000-4000-8000-0000000c0001"
    messages={messages as never}
    parties={parties}
    me="me"
    seen={unread ? { upTo: '' } : null}
    unreadUpTo=""
    lastPassed={{ current: null }}
    outgoing={outgoing}
    reason={null}
    head={null}
  >
    {null}
  </ThreadLog>
)

test('announces a second equal message', async () => {
  const hello = (id: string) => ({ ...message, id, body: 'Hello\u202E?' })
  const region = (await renderPage(<Thread outgoing={0} />)).querySelector('p[aria-live]')
  await renderPage(<Thread outgoing={0} messages={[hello('1')]} />)
  expect(region?.textContent).toContain('Hello[U+202E]?')
  const spoken = region?.firstChild
  await renderPage(<Thread outgoing={0} messages={[hello('1'), hello('2')]} />)
  expect(region?.textContent).toContain('Hello[U+202E]?')
  expect(region?.firstChild).not.toBe(spoken)
})

test('shows the end of the thread for each message sent', async () => {
  await renderPage(<Thread outgoing={1} />)
  const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollTo')
  await renderPage(<Thread outgoing={1} />)
  expect(scrolled).not.toHaveBeenCalled()
  await renderPage(<Thread outgoing={2} />)
  expect(scrolled).toHaveBeenCalledTimes(1)
  await renderPage(<Thread outgoing={1} />)
  expect(scrolled).toHaveBeenCalledTimes(1)
})

function Below({ by, atEnd }: { by: readonly string[]; atEnd: boolean }) {
  const messages = by.map((senderUserId) => ({ ...message, senderUserId }) as never)
  return <p>{useSentBelow(messages, 'me', atEnd)}</p>
}

test('counts own messages since the end was in view', async () => {
  const shown: (string | undefined)[] = []
  for (const [by, atEnd] of [
    [['me', 'ana'], true],
    [['me', 'ana'], false],
    [['me', 'ana', 'me', 'ana'], false],
    [['me', 'ana', 'me', 'ana'], true],
    [['me', 'ana', 'me', 'ana', 'me'], false],
  ] as const) {
    await renderPage(<Below by={by} atEnd={atEnd} />)
    shown.push(document.querySelector('p')?.textContent)
  }
  expect(shown).toEqual(['0', '0', '1', '0', '1'])
})

test('keeps the place of a reader with unread messages ahead', async () => {
  await renderPage(<Thread outgoing={0} unread />)
  const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollTo')
  await renderPage(<Thread outgoing={1} unread />)
  expect(scrolled).not.toHaveBeenCalled()
})
