// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { announceLeaving, putPerProcess } from '#lib/config/per-process.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { GET } from './api/ready/route.ts'
import { Fault } from './fault.tsx'
import GlobalError from './global-error.tsx'

afterEach(async () => {
  await closePage()
  putPerProcess('stop', undefined)
})

test('says that a change may have been made, and where to look', () => {
  const html = renderToStaticMarkup(<Fault error={new Error('broken')} />)
  expect(html).toContain('may have been made')
  expect(html).toContain('href="/activity"')
  expect(html).not.toContain('Nothing was changed')
})

test('warns in place of the whole document before its part loads', () => {
  const html = renderToStaticMarkup(<GlobalError error={new Error('broken')} />)
  expect(html).toContain('may have been made')
  expect(html).toContain('href="/activity"')
})

test.each<[words: string, answer: () => Promise<Response>]>([
  ['The console is restarting', GET],
  ['The console cannot reach its database', async () => Response.json({ status: 'not ready' }, { status: 503 })],
  ['The console cannot be reached', () => Promise.reject(new TypeError())],
])('says why: %s', async (words, answer) => {
  announceLeaving()
  vi.stubGlobal('fetch', answer)
  const page = await renderPage(<Fault error={new Error('broken')} />)
  await vi.waitFor(() => expect(page.textContent).toContain(words))
})
