import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { hiddenChange, segmentId, segmentText } from './page-reads.tsx'

test('a segment is read as the text that it stands for', () => {
  expect(segmentText('DEP%7E1%20%2F%25')).toBe('DEP~1 /%')
})

test('reads an id without its invisible characters, and a reference with them', () => {
  expect(segmentId('%E2%80%8E3f2b%C2%AD-5d04')).toBe('3f2b-5d04')
  expect(segmentText('DEP%E2%80%8B')).toBe('DEP\u200B')
})

test.each(['%', '%E0%A4%A', 'a%zz', '%ff'])('escapes that are no text lead to the page that says so: %s', (segment) => {
  expect(() => segmentText(segment)).toThrow(expect.objectContaining({ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' }))
})

test('says "not found" of a change only with known scopes', async () => {
  await freshConsole({ CORE_API_URL: 'http://127.0.0.1:9' })
  const session = await openForTest(await signInForTest())
  expect(renderToStaticMarkup(await hiddenChange(session))).toContain('Your scopes could not be read')
  const access = { roles: [], scopes: new Set() }
  onTestFinished(() => putPerProcess('scopes', undefined))
  putPerProcess('scopes', new Map([[session.id, { access, until: Date.now() + 60_000 }]]))
  await expect(hiddenChange(session)).rejects.toMatchObject({ digest: 'NEXT_HTTP_ERROR_FALLBACK;404' })
})
