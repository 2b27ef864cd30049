import { expect } from 'vitest'
import { latestCommand } from '#lib/commands/view.ts'
import { ISSUE, NEW_CARD, cardTest as test } from '#lib/testing/card-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'

const unlisted = test.extend('unlistedCard', async ({ service }) => {
  const { accessToken } = await service.login('operator@example.com')
  const { data } = await service.call('POST', ISSUE, { token: accessToken, body: { ...NEW_CARD, cardType: 1 } })
  return String(data?.id)
})

const block = (cardId: string) => ({ cardId, last4: '', reason: 'stolen' })

unlisted('warns of an earlier block of an unregistered card', async ({ operator, unlistedCard }) => {
  await runCommand(operator, 'card.block', block(unlistedCard))
  const drafted = await draftOf(operator, 'card.block', block(unlistedCard))
  expect(drafted).toMatchObject({ ok: true, draft: { warning: expect.stringContaining('already blocked') } })
})

unlisted('shows a block under either letter case of the id', async ({ operator, unlistedCard }) => {
  const { command } = await runCommand(operator, 'card.block', block(unlistedCard.toUpperCase()))
  expect((await latestCommand(operator, 'card.block', unlistedCard))?.id).toBe(command.id)
})
