// @vitest-environment happy-dom
import { act, useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { useLastPassed } from './use-unseen.ts'

const messages = ['1', '2', '3'].map(
  (id): ThreadMessage => ({
    ...{ id, senderUserId: 'ana', isSystemMessage: false, body: id },
    createdAt: `2026-11-20T10:0${id}:00Z`,
  }),
)

const observers = new Map<Element, () => void>()
class Observer {
  readonly #look: () => void
  constructor(look: () => void) {
    this.#look = look
  }
  observe = (element: Element) => void observers.set(element, this.#look)
  disconnect = () => observers.clear()
}
const resize = (element: Element | null) => act(async () => element !== null && observers.get(element)?.())

function Thread({ shown }: { shown: number }) {
  const box = useRef<HTMLElement>(null)
  const passed = useLastPassed(box, messages)
  return (
    <section ref={box} data-passed={passed?.id}>
      <ol>
        {messages.slice(0, shown).map(({ id }) => (
          <li key={id} data-message={id} />
        ))}
      </ol>
    </section>
  )
}

afterEach(async () => {
  await closePage()
  vi.restoreAllMocks()
})

test('passes the messages that a loaded rest of the thread shows', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.stubGlobal('ResizeObserver', Observer)
  const page = await renderPage(<Thread shown={1} />)
  const thread = page.querySelector('section')
  await resize(thread)
  expect(thread?.dataset.passed).toBe('1')
  await renderPage(<Thread shown={3} />)
  await resize(page.querySelector('ol'))
  expect(thread?.dataset.passed).toBe('3')
})
