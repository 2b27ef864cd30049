// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { announceOpenCases, OpenCasesCount } from './rail-link.tsx'

afterEach(closePage)

test('counts open cases as of the latest render or list', async () => {
  const shown = async (initial: number) => (await renderPage(<OpenCasesCount initial={initial} />)).textContent
  expect(await shown(3)).toBe('3 open')
  await act(async () => announceOpenCases(4))
  expect(await shown(3)).toBe('4 open')
  expect(await shown(5)).toBe('5 open')
})
