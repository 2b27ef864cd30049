// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { LookChoices } from './look-choices.tsx'
import { TablePreferences, useTablePreference } from './table-preference.tsx'

vi.mock('./saved-views.tsx', () => ({ useChosenView: () => ({ view: null }) }))
afterEach(closePage)

const Choices = () => <LookChoices columns={[]} preference={useTablePreference('cases')} ofView={false} />

test('does not say that a choice without an answer is unsaved', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const page = await renderPage(
    <TablePreferences density="normal" hiddenColumns={{}}>
      <Choices />
    </TablePreferences>,
  )
  await act(async () => page.querySelector<HTMLElement>('[value="compact"]')?.click())
  expect(page.querySelector('[role="alert"]')?.textContent).toBe(
    'This choice applies here. It may not be saved for later.',
  )
  expect(page.querySelector<HTMLInputElement>('[value="compact"]')?.checked).toBe(true)
})
