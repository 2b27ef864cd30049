// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { importFile } from './statement-requests.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['an unanswered preview asks to try again', null, 'The console did not answer. Try again.'],
  [
    'an unanswered import may have been done',
    'ab12',
    'The console did not answer. It is not known whether this was done. Reload the page.',
  ],
])('%s', async (_what, seal, why) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  const step = { mapping: null, seal, reason: '', replaces: null }
  expect(await importFile(new File(['x'], 'may.xml'), step)).toEqual({ ok: false, why, cause: 'unanswered' })
})
