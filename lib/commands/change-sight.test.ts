import { beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { type CardWorld, cardWorld, ISSUE, NEW_CARD } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { latestCommand } from './latest.ts'
import { openChanges } from './lists.ts'
import { lookAtCommand } from './look.ts'
import { settleByHand } from './settle-by-hand.ts'
import { commandStory } from './story.ts'

const ARBITRATOR = '00000000-0000-4000-8000-000000000002'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

let world: CardWorld
let arbitrator: Session
let clerk: Session

/** Ids of changes of the operator whose end is not known. */
interface Open {
  readonly issue: string
  readonly deposit: string
}

async function leaveOpen(): Promise<Open> {
  await world.service.fault('POST', ISSUE, 'drop-after')
  const issue = (await world.issue()).command.id
  const referenceId = await world.service.announceDeposit('31')
  await world.service.fault('POST', CONFIRM, 'drop-before')
  const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: '31' }
  return { issue, deposit: (await runCommand(world.operator, 'deposit.confirm', params)).command.id }
}

beforeEach(async () => {
  world = await cardWorld()
  arbitrator = await signedIn(world.service, 'arbitrator@example.com', ARBITRATOR)
  clerk = await signedInUnread(world.service, 'operator@example.com')
})

describe('changes of others are seen with the scope that reading their object takes', () => {
  test.each<[who: string, session: () => Session, sees: readonly (keyof Open)[]]>([
    ['their operator', () => world.operator, ['issue', 'deposit']],
    ['an admin', () => world.admin, ['issue', 'deposit']],
    ['who reads transactions and issues nothing', () => world.viewer, ['deposit']],
    ['an arbitrator', () => arbitrator, ['deposit']],
    ['whose scopes cannot be known', () => clerk, []],
  ])('%s', async (_who, session, sees) => {
    const before = await openChanges(session())
    const open = await leaveOpen()
    const seen = Object.values(open).filter((_, at) => sees.includes(Object.keys(open)[at] as keyof Open))
    const now = await openChanges(session())
    expect(now.seen.map(({ id }) => id).filter((id) => Object.values(open).includes(id))).toEqual(seen)
    expect(now.unseen.unknown - before.unseen.unknown).toBe(2 - seen.length)
    for (const id of Object.values(open)) {
      expect((await commandStory(session(), id)) !== null, id).toBe(seen.includes(id))
      expect((await lookAtCommand(session(), id, false)).ok, id).toBe(seen.includes(id))
    }
    const [issue = ''] = Object.values(open)
    if (seen.includes(issue)) return
    expect(JSON.stringify(now)).not.toContain(NEW_CARD.userId)
    expect(await settleByHand(session(), issue, { happened: true, why: 'A guess' })).toMatchObject({ ok: false })
  })
})

test('a page tells of the latest change of its object only whoever may see it', async () => {
  const card = await world.issued()
  await runCommand(world.operator, 'card.block', { cardId: card.id, last4: card.last4, reason: 'stolen' })
  expect(await latestCommand(world.admin, 'card.block', card.id)).toMatchObject({ yours: false })
  expect(await latestCommand(world.viewer, 'card.block', card.id)).toBeNull()
  expect(await latestCommand(clerk, 'card.block', card.id)).toBeNull()
})
