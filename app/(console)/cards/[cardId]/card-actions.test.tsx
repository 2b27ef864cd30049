// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { CardActions } from './card-actions.tsx'

vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

afterEach(closePage)

test('asks before the typed reason of a block is lost', async () => {
  const known = { registered: true, hasName: true, registerHidden: false, blocked: false, latest: null }
  await renderPage(
    <CardActions cardId="c" {...known} missingScope={null} missingIssueScope={null}>
      {null}
    </CardActions>,
  )
  expect(isUnloadGuarded()).toBe(false)
  const reason = document.querySelector<HTMLInputElement>('[name="reason"]')
  if (reason !== null) reason.value = 'Stolen'
  expect(isUnloadGuarded()).toBe(true)
})
