import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { Outcome } from '#lib/commands/command.ts'
import { sendAtOnce } from '#lib/commands/execute.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { findCommand } from '#lib/commands/store.ts'
import { readUnsentText, saveUnsentText } from '#lib/session/unsent-text.ts'
import { messagePlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, kindOrFail, runCommand } from '#lib/testing/command-run.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest } from '#lib/testing/test-worlds.ts'
import { readUnsent } from './case-thread.ts'

const POST = '/api/v1/Dispute/{caseId}/messages'

const test = caseTest
  .extend('said', ({ dispute }) => async (text: string): Promise<number> => {
    return (await dispute.thread()).filter((body) => body === text).length
  })
  .extend('say', ({ arbitrator, dispute }) => (id: string, body: string, session = arbitrator) => {
    return sendAtOnce(
      session,
      { id, kind: kindOrFail('dispute.message'), params: { caseId: dispute.id, body } },
      () => {},
    )
  })
  /** Reads until it is known what came of a message. */
  .extend('settled', ({ arbitrator }) => async (id: string): Promise<string> => {
    for (;;) {
      const row = await findCommand(await store(), id)
      if (row === undefined) throw new Error('the command is gone')
      const { command } = await reconcileCommand(arbitrator, row)
      if (command.state !== 'unknown') return command.state
    }
  })

const outcomeOf = (reply: Awaited<ReturnType<typeof sendAtOnce>>): Outcome['class'] | 'no' =>
  reply.ok ? reply.command.outcome.class : 'no'

test('a message stands in the thread once, however often the same request comes', async ({ said, say }) => {
  const id = randomUUID()
  const replies = await Promise.all([say(id, ' Please wait. '), say(id, 'Please wait.'), say(id, 'Please wait.')])
  expect(replies.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(outcomeOf(await say(id, 'Please wait.'))).toBe('done')
  expect(await said('Please wait.')).toBe(1)
})

test('an id that somebody else used tells nothing', async ({ service, said, say }) => {
  const id = randomUUID()
  await say(id, 'One.')
  const other = await signedIn(service, 'newcomer@example.com', '00000000-0000-4000-8000-000000000005')
  expect(await say(id, 'Two.', other)).toMatchObject({ ok: false, problem: { status: 404 } })
  expect(await said('Two.')).toBe(0)
})

test('an answer that is lost is settled by reading, once; a message of before is not taken for it', async ({
  service,
  arbitrator,
  said,
  say,
  settled,
}) => {
  await say(randomUUID(), 'Yes.')
  await service.fault('POST', POST, 'drop-after')
  const id = randomUUID()
  expect(outcomeOf(await say(id, 'Yes.'))).toBe('unknown')
  expect(outcomeOf(await say(id, 'Yes.'))).toBe('unknown')
  expect(await settled(id)).toBe('applied')
  expect(await said('Yes.')).toBe(2)

  await service.fault('POST', POST, 'drop-before')
  const lost = randomUUID()
  expect(outcomeOf(await say(lost, 'Yes.'))).toBe('unknown')
  const row = await findCommand(await store(), lost)
  expect(row && (await reconcileCommand(arbitrator, row)).command.state).toBe('unknown')
  expect(await said('Yes.')).toBe(2)
})

test('while one is not known, the very same text is not sent again', async ({ service, say }) => {
  await service.fault('POST', POST, 'drop-before')
  await say(randomUUID(), 'Still there?')
  expect(await say(randomUUID(), 'Still there?')).toMatchObject({ ok: false, fields: { body: expect.anything() } })
  expect(outcomeOf(await say(randomUUID(), 'Still there, I ask?'))).toBe('done')
})

describe('refused, and nothing is sent', () => {
  test.for([
    ['', 'Enter a message.'],
    [' \n ', 'Enter a message.'],
    ['x'.repeat(4_001), 'At most 4,000 characters; this has 4,001.'],
    ['half \ud83d', 'It has a character that cannot be sent. Enter it again.'],
    ['my card 4111 1111 1111 1111', 'Remove the card number'],
  ] as const)('%#: what cannot be sent', async ([body, words], { arbitrator, dispute }) => {
    const reply = await draftOf(arbitrator, 'dispute.message', { caseId: dispute.id, body })
    expect(reply).toMatchObject({ ok: false, fields: { body: expect.stringContaining(words) } })
  })

  test('on a resolved case, with the words of why', async ({ dispute, say }) => {
    await dispute.resolve('Delivered.')
    expect(await say(randomUUID(), 'Too late.')).toMatchObject({
      ok: false,
      fields: { body: 'This case is resolved. Its thread is closed.' },
    })
  })

  test('on a case that is not visible, and by somebody who is known not to write', async ({ service, say }) => {
    const stranger = await signedIn(service, 'cleo@example.com', '00000000-0000-4000-8000-000000000013')
    expect(await say(randomUUID(), 'Hello.', stranger)).toMatchObject({ ok: false, problem: { status: 404 } })
    const viewer = await signedIn(service, 'viewer@example.com', '00000000-0000-4000-8000-000000000004')
    expect(await say(randomUUID(), 'Hello.', viewer)).toMatchObject({
      ok: false,
      problem: { status: 403, scope: 'core:disputes:message' },
    })
  })
})

test('what was kept as unsent is forgotten when it is sent; a newer text stays', async ({ arbitrator, dispute }) => {
  const place = messagePlace(dispute.id)
  await saveUnsentText(arbitrator, place, { text: 'First. ', page: 'page', number: 1, base: 0 })
  await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'First.' })
  expect((await readUnsentText(arbitrator, place)).text).toBe('')
  await saveUnsentText(arbitrator, place, { text: 'Third.', page: 'page', number: 2, base: 0 })
  await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Second.' })
  expect((await readUnsentText(arbitrator, place)).text).toBe('Third.')
  await saveUnsentText(arbitrator, place, { text: 'Fourth.\n\nThird. ', page: 'page', number: 3, base: 0 })
  await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Fourth.' })
  expect((await readUnsentText(arbitrator, place)).text).toBe('Third.')
})

test('keeps a refused message until its text is sent', async ({ service, arbitrator, dispute, say }) => {
  const keep = (number: number, text: string) =>
    saveUnsentText(arbitrator, messagePlace(dispute.id), { text, page: 'page', number, base: 0 })
  const unsent = async () =>
    (await readUnsent(arbitrator, dispute.id)).open.map(({ body, command }) => [body, command.outcome.class])
  await keep(1, 'Refused.\n\nTyped since.')
  await service.fault('POST', POST, { status: 429, code: 'core::rate', retryAfter: 5 })
  expect(outcomeOf(await say(randomUUID(), 'Refused.'))).toBe('refused')
  expect(await unsent()).toEqual([['Refused.', 'refused']])
  await keep(2, 'Refused. And more.')
  expect(await unsent()).toEqual([])
  await keep(3, 'Refused.')
  expect(outcomeOf(await say(randomUUID(), 'Refused.'))).toBe('done')
  await keep(4, 'Refused.')
  expect(await unsent()).toEqual([])
})
