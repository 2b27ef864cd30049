// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { CHANGES_STOPPED, problemOf } from '#lib/contract/problem-of.ts'
import { discard, importFile, prepareLine } from './statement-requests.ts'

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

test('says that an unanswered preparation sent nothing', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  expect(await prepareLine('s', 3)).toMatchObject({ why: expect.stringContaining('Nothing was sent.') })
})

test('says that changes are stopped, and that nothing was done', async () => {
  const problem = problemOf('service', { status: 503, code: CHANGES_STOPPED })
  vi.stubGlobal('fetch', async () => Response.json({ ok: false, problem }, { status: 503 }))
  const why = 'Changes are stopped: the database is not the one that the witness confirmed.'
  expect(await discard('a')).toEqual({ ok: false, why, cause: 'refused' })
})
