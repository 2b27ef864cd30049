// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { TimePreference } from '#components/values/timestamp.tsx'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { announceVerified, VerifiedBadge } from './verified.tsx'

afterEach(async () => {
  vi.unstubAllEnvs()
  await closePage()
})

test('names the zone that the operator has chosen', async () => {
  vi.stubEnv('TZ', 'America/Belize')
  const until = '2099-07-01T18:05:00.000Z'
  await renderPage(
    <TimePreference first="utc" madeAtMs={Date.now()}>
      <VerifiedBadge initial={until} />
    </TimePreference>,
  )
  expect(document.body.textContent).toContain('Verified until 18:05 UTC')
})

test('takes the verification of another tab from a refreshed page', async () => {
  const until = new Date(Date.now() + 240_000).toISOString()
  const shown = async (initial: string | null) => (await renderPage(<VerifiedBadge initial={initial} />)).textContent
  expect(await shown(null)).toBe('')
  expect(await shown(until)).toContain('Verified until')
  await act(async () => announceVerified(null))
  expect(await shown(until)).toBe('')
})
