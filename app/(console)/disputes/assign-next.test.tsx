// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { AssignNext } from './assign-next.tsx'

const seen = vi.hoisted(() => ({ push: vi.fn(), assign: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ push: seen.push }) }))
vi.mock('./next-assignment.ts', () => ({ assignNext: seen.assign }))
vi.mock('#components/look-up/requested-act.ts', () => ({ useRequestedAct: () => {} }))

afterEach(closePage)

const press = (words: string) =>
  act(async () => [...document.querySelectorAll('button')].find((one) => one.textContent?.includes(words))?.click())

test('opens no case on a page that was left', async () => {
  let answer = (_next: object) => {}
  seen.assign.mockReturnValueOnce(new Promise((done) => (answer = done)))
  await renderPage(<AssignNext title="Disputes" lead="" />)
  await press('Assign the next case to me')
  await vi.waitFor(() => expect(seen.assign).toHaveBeenCalled())
  await renderPage(null)
  await act(async () => answer({ caseId: 'c', chosen: 'oldest unassigned case' }))
  expect(seen.push).not.toHaveBeenCalled()
  seen.assign.mockReset()
})

test('warns an absent person before assigning the next case', async () => {
  seen.assign.mockResolvedValueOnce({ awayUntil: '2026-12-03' })
  const page = await renderPage(<AssignNext title="Disputes" lead="" />)
  await press('Assign the next case to me')
  await vi.waitFor(() => expect(page.textContent).toContain('You are away until 2026-12-03, so no case was assigned.'))
  expect(seen.push).not.toHaveBeenCalled()
  seen.assign.mockResolvedValueOnce({ caseId: 'c', chosen: 'oldest unassigned case' })
  await press('Assign anyway')
  expect(document.activeElement?.textContent).toContain('Assign the next case to me')
  await vi.waitFor(() => expect(seen.push).toHaveBeenCalledWith('/disputes/c'))
  expect(seen.assign.mock.calls.map(([, isConfirmed]) => isConfirmed)).toEqual([false, true])
})
