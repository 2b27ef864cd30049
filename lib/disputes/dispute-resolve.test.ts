import { describe, expect } from 'vitest'
import type { CommandView, Line } from '#lib/commands/command.ts'
import { executeCommand } from '#lib/commands/execute.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { findCommand } from '#lib/commands/store.ts'
import { readUnsentText, saveUnsentText } from '#lib/session/unsent-text.ts'
import { reasonPlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest } from '#lib/testing/test-worlds.ts'
import { REVERSAL_LINE } from './resolution.ts'
import { readWholeThread } from './thread/case-thread.ts'
import { putClaim } from './workspace/workspace-tables.ts'

const RESOLVE = '/api/v1/Dispute/{caseId}/resolve'
/** An arbitrator who is not enrolled in two-factor security passes at the service without a code. */
const NEWCOMER = '00000000-0000-4000-8000-000000000005'
const ANA = '00000000-0000-4000-8000-000000000011'

const test = caseTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  /** What the page would ask for: bound to the last message that there is now. */
  .extend('inputOf', ({ newcomer, dispute }) => async (change: Readonly<Record<string, string>> = {}) => {
    const thread = await readWholeThread(newcomer, dispute.id)
    if (!thread.ok) throw new Error(JSON.stringify(thread.problem))
    return {
      caseId: dispute.id,
      referenceId: dispute.referenceId,
      decision: 'refund',
      reason: 'The parcel never left the depot.',
      latestMessageId: thread.value.messages.at(-1)?.id ?? '',
      ...change,
    }
  })
  .extend('caseNow', ({ service, dispute }) => async () => {
    const { accessToken } = await service.login('newcomer@example.com')
    const { data } = await service.call('GET', `/api/v1/Dispute/${dispute.id}`, { token: accessToken })
    return data as unknown as { status: string; resolutionReason: string | null }
  })
  /** The transactions that Ana got back from Ben. */
  .extend('refunds', ({ service }) => async (): Promise<readonly string[]> => {
    const { accessToken } = await service.login('newcomer@example.com')
    const path = `/api/v1/Transaction/account/${ANA}?page=1&pageSize=100`
    const { data } = await service.call('GET', path, { token: accessToken })
    const rows = data?.transactions as unknown as { transactionType: string; referenceId: string; note: string }[]
    return rows
      .filter(({ note, transactionType }) => transactionType === 'REVERSAL' && note.includes('never left'))
      .map(({ referenceId }) => referenceId)
  })
  .extend('settled', ({ newcomer }) => async (id: string) => {
    const row = await findCommand(await store(), id)
    if (row === undefined) throw new Error('the command is gone')
    return (await reconcileCommand(newcomer, row)).command
  })

const lineOf = ({ outcome }: CommandView, label: string): Line | undefined =>
  outcome.class === 'done' ? outcome.lines.find((line) => line.label === label) : undefined

test('a refund closes the case with its reason and names the reversing transaction', async ({
  newcomer,
  inputOf,
  caseNow,
  refunds,
}) => {
  const { command } = await runCommand(newcomer, 'dispute.resolve', await inputOf())
  expect(await caseNow()).toMatchObject({ status: 'RESOLVED', resolutionReason: 'The parcel never left the depot.' })
  expect([lineOf(command, REVERSAL_LINE)?.value]).toEqual(await refunds())
})

test('removes its reason from unsent texts once it had effect', async ({ service, newcomer, inputOf, settled }) => {
  const { caseId, reason } = await inputOf()
  const place = reasonPlace(caseId)
  await saveUnsentText(newcomer, place, { text: ` ${reason}`, page: '1', number: 1, base: 0 })
  await service.fault('POST', RESOLVE, 'drop-after')
  const { command } = await runCommand(newcomer, 'dispute.resolve', await inputOf())
  expect((await readUnsentText(newcomer, place)).text).toContain(reason)
  expect((await settled(command.id)).state).toBe('applied')
  expect((await readUnsentText(newcomer, place)).text).toBe('')
})

test('is stored under the case id in small letters', async ({ newcomer, dispute, inputOf }) => {
  const caseId = dispute.id.replace(/[a-f]/, (letter) => letter.toUpperCase())
  const { command } = await runCommand(newcomer, 'dispute.resolve', await inputOf({ caseId }))
  expect(command.outcome.class).toBe('done')
  expect((await findCommand(await store(), command.id))?.target).toBe(dispute.id)
})

test('says before a refund that the recipient gets nothing', async ({ newcomer, inputOf }) => {
  const drafted = async (decision: string) => {
    const reply = await draftOf(newcomer, 'dispute.resolve', await inputOf({ decision }))
    if (!reply.ok) throw new Error(JSON.stringify(reply))
    const { lines, consequence } = reply.draft
    return { consequence, recipient: lines.filter(({ label }) => label.startsWith('Recipient ')) }
  }
  const [refund, release] = [await drafted('refund'), await drafted('release')]
  expect(refund.recipient).toEqual([{ label: 'Recipient gets', value: 'nothing', as: 'text' }])
  expect(refund.consequence).toMatch(/^A reversing transaction refunds sender .* who paid/)
  expect(release.recipient).toEqual([{ label: 'Recipient keeps', value: '20.00000000', as: 'money' }])
})

test('a release closes the case, and nothing is refunded', async ({ newcomer, inputOf, caseNow, refunds }) => {
  const { command } = await runCommand(newcomer, 'dispute.resolve', await inputOf({ decision: 'release' }))
  expect(command.outcome.class).toBe('done')
  expect(lineOf(command, REVERSAL_LINE)).toBeUndefined()
  expect((await caseNow()).status).toBe('RESOLVED')
  expect(await refunds()).toEqual([])
})

test('an answer that is lost settles as applied, once, and says that the reversing transaction is not confirmed', async ({
  service,
  newcomer,
  inputOf,
  refunds,
  settled,
}) => {
  await service.fault('POST', RESOLVE, 'drop-after')
  const { command } = await runCommand(newcomer, 'dispute.resolve', await inputOf())
  expect(command.outcome.class).toBe('unknown')
  const row = await settled(command.id)
  expect(row.state).toBe('applied')
  expect(await refunds()).toHaveLength(1)
  // Without the answer nothing that the interface gives tells which transaction it is.
  expect(row.outcome).not.toContain((await refunds())[0])
  expect(row.outcome).toContain('Not confirmed yet')
})

test('takes no differently worded resolution for its own', async ({ service, newcomer, dispute, inputOf, settled }) => {
  await service.fault('POST', RESOLVE, 'drop-before')
  const { command } = await runCommand(newcomer, 'dispute.resolve', await inputOf())
  expect(command.outcome.class).toBe('unknown')
  await dispute.resolve('Delivered.')
  // By the same account, with another reason: a person settles it.
  const row = await settled(command.id)
  expect(row.state).toBe('unknown')
  expect(JSON.parse(row.outcome ?? '{}')).toMatchObject({ class: 'unknown' })
  expect(row.outcome).toContain('Delivered.')
})

test('resolves a case once when two sessions send at once, and names the first', async ({
  service,
  newcomer,
  inputOf,
  refunds,
}) => {
  // The service says who resolved it: both are of the account that it knows.
  const colleague = await signedIn(service, 'newcomer@example.com', NEWCOMER)
  const drafts = [
    [newcomer, await draftOf(newcomer, 'dispute.resolve', await inputOf())],
    [colleague, await draftOf(colleague, 'dispute.resolve', await inputOf())],
  ] as const
  const replies = await Promise.all(
    drafts.map(async ([session, draft]) => {
      if (!draft.ok) throw new Error(JSON.stringify(draft))
      return await executeCommand(session, draft.draft.id, { code: null, proof: null }, () => {})
    }),
  )
  const outcomes = replies.map((reply) => (reply.ok ? reply.command.outcome : null))
  expect(outcomes.filter((outcome) => outcome?.class === 'done')).toHaveLength(1)
  expect(JSON.stringify(outcomes.find((outcome) => outcome?.class !== 'done'))).toMatch(/sent it at|resolved/i)
  expect(await refunds()).toHaveLength(1)
})

describe('bound to what was read:', () => {
  test('a message that came before the draft', async ({ newcomer, dispute, inputOf }) => {
    const params = await inputOf()
    await dispute.post('Wait, I found the receipt!')
    expect(await draftOf(newcomer, 'dispute.resolve', params)).toMatchObject({
      ok: false,
      fields: { latestMessageId: 'A new message arrived. Read it, then resolve.' },
    })
  })

  test('a message of one’s own stops no decision', async ({ newcomer, inputOf }) => {
    const params = await inputOf()
    await runCommand(newcomer, 'dispute.message', { caseId: params.caseId, body: 'I decide this today.' })
    expect(await draftOf(newcomer, 'dispute.resolve', params)).toMatchObject({ ok: true })
  })

  test('a message that came between the draft and the confirmation stops it, and both versions are told', async ({
    newcomer,
    dispute,
    inputOf,
    caseNow,
  }) => {
    const draft = await draftOf(newcomer, 'dispute.resolve', await inputOf())
    if (!draft.ok) throw new Error(JSON.stringify(draft))
    await dispute.post('Wait, I found the receipt!')
    const reply = await executeCommand(newcomer, draft.draft.id, { code: null, proof: null }, () => {})
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'changed' } } })
    expect(JSON.stringify(reply)).toContain('Wait, I found the receipt!')
    expect((await caseNow()).status).toBe('OPEN')
  })

  test('another resolution stops it, and tells whose', async ({ newcomer, dispute, inputOf }) => {
    const draft = await draftOf(newcomer, 'dispute.resolve', await inputOf())
    if (!draft.ok) throw new Error(JSON.stringify(draft))
    await dispute.resolve('Delivered.')
    const reply = await executeCommand(newcomer, draft.draft.id, { code: null, proof: null }, () => {})
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'changed' } } })
    expect(JSON.stringify(reply)).toContain('Delivered.')
  })

  test('a case that names another transaction', async ({ service, newcomer, inputOf }) => {
    const params = await inputOf({ referenceId: await service.announceDeposit('10') })
    expect(await draftOf(newcomer, 'dispute.resolve', params)).toMatchObject({
      ok: false,
      fields: { referenceId: expect.anything() },
    })
  })
})

test('a party does not decide their own case', async ({ service, inputOf }) => {
  const party = await signedIn(service, 'newcomer@example.com', ANA)
  // A party is told so where their scopes could not be read, too.
  await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 500 })
  expect(await draftOf(party, 'dispute.resolve', await inputOf())).toMatchObject({
    ok: false,
    fields: { decision: 'You are a party to this case. Someone else must resolve it.' },
  })
})

test('a reason is required', async ({ newcomer, inputOf }) => {
  expect(await draftOf(newcomer, 'dispute.resolve', await inputOf({ reason: ' ' }))).toMatchObject({
    ok: false,
    fields: { reason: 'Enter a reason. Both sides see it.' },
  })
})

test('a case of another assignee is decided only by typing who that is, and is unassigned afterwards', async ({
  newcomer,
  dispute,
  inputOf,
  caseNow,
}) => {
  const db = await store()
  const { command } = await runCommand(newcomer, 'dispute.message', { caseId: dispute.id, body: 'Who has it?' })
  const holder = { holder: 'sso:other', holderName: 'other@example.com' }
  const claim = { caseId: dispute.id, ...holder, since: new Date().toISOString() }
  await db.transaction().execute((trx) => putClaim(trx, claim, command.id))
  const draft = await draftOf(newcomer, 'dispute.resolve', await inputOf({ decision: 'release' }))
  if (!draft.ok) throw new Error(JSON.stringify(draft))
  expect(draft.draft.proof?.expected).toBe(holder.holderName)
  expect(draft.draft.warning).toContain('This case is assigned to other@example.com.')
  const wrong = await executeCommand(newcomer, draft.draft.id, { code: null, proof: 'me' }, () => {})
  expect(wrong).toMatchObject({ ok: true, command: { outcome: { class: 'refused', sent: false } } })
  expect((await caseNow()).status).toBe('OPEN')
  const right = await executeCommand(newcomer, draft.draft.id, { code: null, proof: holder.holderName }, () => {})
  expect(right).toMatchObject({ ok: true, command: { outcome: { class: 'done' } } })
  expect(await db.selectFrom('case_claim').selectAll().execute()).toEqual([])
})
