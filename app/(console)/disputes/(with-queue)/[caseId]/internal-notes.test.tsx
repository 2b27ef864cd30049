// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { InternalNotes } from './internal-notes.tsx'
import type { SeenWorkspace } from './use-case-workspace.ts'

const seen = vi.hoisted(() => ({ now: {} as unknown as SeenWorkspace }))
vi.mock('./use-case-workspace.ts', () => ({ useCaseWorkspace: () => ({ ...seen.now, refresh: () => {} }) }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

afterEach(async () => {
  await closePage()
  vi.useRealTimers()
})

test('waits again after a second refusal of the same length', async () => {
  vi.useFakeTimers()
  const refused = async () => {
    seen.now = { workspace: null, problem: problemOf('service', { status: 429, retryAfterSeconds: 5 }) }
    const kept = { owner: 'sso:me', place: 'case-note:c', text: '', version: 0, other: null }
    return (await renderPage(<InternalNotes caseId="c" kept={kept} />)).textContent
  }
  expect(await refused()).toContain('You can try again in 5 s')
  await act(() => vi.advanceTimersByTimeAsync(6_000))
  expect(document.body.textContent).toContain('You can try again now')
  expect(await refused()).toContain('You can try again in 5 s')
})
