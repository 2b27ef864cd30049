import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { insertCardType } from '#lib/cards/issued-cards.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { readCommand } from '#lib/commands/reconcile.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { stateOf } from '#lib/testing/approval-world.ts'
import { NEW_CARD } from '#lib/testing/card-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { draftForTest } from '#lib/testing/gated-deposit.ts'
import { openDeposit } from '#lib/testing/open-deposit.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import type { TestService } from '#lib/testing/test-service.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { topics } from '#lib/topics.ts'
import { readFactsNow } from './approval-view.ts'
import { askForApproval } from './approvals.ts'
import { reviewOpenRequests } from './open-requests.ts'

interface World {
  readonly service: TestService
  readonly operator: Session
  readonly admin: Session
}

const block = () => ({ cardId: randomUUID(), last4: '', reason: 'Stolen' })
const why = 'The customer asked for it'

/** What the admin asks for. */
const paramsOf: Readonly<Partial<Record<CommandKindName, (world: World) => Promise<object>>>> = {
  'card.block': async () => block(),
  async 'card.issue'() {
    await insertCardType(await store(), { cardType: 1, cardTypeName: 'Classic' })
    return NEW_CARD
  },
  async 'change.erase'({ service, admin }) {
    const { id: caseId } = await raiseCase(service)
    const { command } = await runCommand(admin, 'case.note', { caseId, text: 'Ana called.' })
    return { id: command.id, reason: why }
  },
  'deposit.settle': async ({ service, operator }) => ({
    id: await openDeposit(service, operator, '50'),
    happened: false,
    why,
  }),
}

const test = serviceTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend(
    'rules',
    ['card.block', 'card.issue', 'deposit.settle'].map((kind) => ({ kind, approval: { by: 1 } })),
  )
  .extend('requested', ({ service, operator, admin }) => async (kind: CommandKindName): Promise<string> => {
    const params = await paramsOf[kind]?.({ service, operator, admin })
    const id = await draftForTest(admin, kind, params)
    await askForApproval(admin, id, { reason: why, proof: null })
    expect(await stateOf(id)).toBe('awaiting_approval')
    return id
  })
  /** The admin, with a new session whose scopes cannot be read. */
  .extend('unread', ({ service }) => async (): Promise<Session> => {
    await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 503 }, 50)
    return await signedIn(service, 'admin@example.com', userIdOf('3'))
  })

beforeEach(() => putPerProcess('reviewed requests', undefined))

describe.for(Object.keys(paramsOf) as CommandKindName[])('a request of %s stays without scopes', (kind) => {
  test('on review', async ({ requested, unread }) => {
    const id = await requested(kind)
    await reviewOpenRequests(new Set([await unread()]))
    expect(await stateOf(id)).toBe('awaiting_approval')
  })

  test('when its author opens or sends it', async ({ requested, unread }) => {
    const id = await requested(kind)
    const author = await unread()
    await readCommand(author, id, false)
    expect(await readFactsNow(author, id)).toMatchObject({
      ok: false,
      problem: { title: expect.stringContaining('scopes could not be read') },
    })
    await executeCommand(author, id, { code: null, proof: null }, () => {})
    expect(await stateOf(id)).toBe('awaiting_approval')
  })
})

test('a block requested without scopes stays once they are read', async ({ service, operator, unread }) => {
  const author = await unread()
  const id = await draftForTest(author, 'card.block', block())
  await askForApproval(author, id, { reason: why, proof: null })
  await service.clearFaults()
  putPerProcess('scopes', undefined)
  expect(await readFactsNow(operator, id)).toMatchObject({ ok: true, moved: 'same' })
  await reviewOpenRequests(new Set([operator]))
  expect(await stateOf(id)).toBe('awaiting_approval')
})

test.for(['home', 'waiting'])('%s never says that nothing waits', async (name, { operator, admin, unread }) => {
  const id = await draftForTest(operator, 'card.block', block())
  await askForApproval(operator, id, { reason: why, proof: null })
  const source = topics.get(name)?.source
  if (source?.kind !== 'value') throw new Error(`${name} has no value`)
  expect(JSON.stringify(await source.read(admin, ''))).toContain(id)
  const without = await unread()
  expect(await source.read(without, '')).toEqual({
    result: { ok: false, problem: expect.objectContaining({ retryAfterSeconds: 5 }) },
  })
  putPerProcess('scopes', undefined)
  expect((await source.read(admin, '')).result).toMatchObject({ ok: false })
})

describe('without scopes', () => {
  const sends = serviceTest.extend('cardId', async ({ service }): Promise<string> => {
    const { accessToken: token } = await service.login('operator@example.com')
    const { data } = await service.call('POST', '/api/v1/cards', { token, body: { ...NEW_CARD, cardType: 1 } })
    return String(data?.id)
  })

  sends('a card can be blocked', async ({ service, cardId }) => {
    const clerk = await signedInUnread(service, 'operator@example.com')
    const { command } = await runCommand(clerk, 'card.block', { ...block(), cardId })
    expect(command.outcome.class).toBe('done')
  })

  sends('a prepared block is sent once they are read', async ({ service, cardId }) => {
    await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 503 }, 50)
    const clerk = await signedIn(service, 'operator@example.com', userIdOf('1'))
    const id = await draftForTest(clerk, 'card.block', { ...block(), cardId })
    await service.clearFaults()
    putPerProcess('scopes', undefined)
    const reply = await executeCommand(clerk, id, { code: null, proof: null }, () => {})
    expect(reply).toMatchObject({ command: { outcome: { class: 'done' } } })
  })

  test('an erasure is refused with the reason', async ({ service, operator, admin, unread }) => {
    const params = await paramsOf['change.erase']?.({ service, operator, admin })
    expect(await draftOf(await unread(), 'change.erase', params)).toMatchObject({
      ok: false,
      problem: { title: expect.stringContaining('scopes could not be read') },
    })
  })
})
