// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, pressEsc, renderPage } from '#lib/testing/render-page.ts'
import { DiscardDialog } from './discard-dialog.tsx'

const router = vi.hoisted(() => ({ push: vi.fn(), refresh: () => {} }))
const requests = vi.hoisted(() => ({ discard: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => router }))
vi.mock('../statement-requests.ts', () => requests)

afterEach(closePage)

const press = () =>
  act(async () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === 'Discard statement')?.click(),
  )

test('Esc does not close it while the statement is discarded', async () => {
  requests.discard.mockReturnValueOnce(new Promise(() => {}))
  const close = vi.fn()
  await renderPage(<DiscardDialog id="s" fileName="may.xml" lines={1} confirmed={0} onClose={close} />)
  await pressEsc()
  expect(close).toHaveBeenCalledTimes(1)
  await press()
  await pressEsc()
  expect(close).toHaveBeenCalledTimes(1)
})

test.each([
  ['opens the list after a statement was discarded', true],
  ['opens no list on a page that was left', false],
])('%s', async (_what, isHere) => {
  router.push.mockReset()
  let answer = (_reply: object) => {}
  requests.discard.mockReturnValueOnce(new Promise((done) => (answer = done)))
  await renderPage(<DiscardDialog id="s" fileName="may.xml" lines={1} confirmed={0} onClose={() => {}} />)
  await press()
  if (!isHere) await renderPage(null)
  await act(async () => answer({ ok: true, value: {} }))
  expect(router.push).toHaveBeenCalledTimes(isHere ? 1 : 0)
})
