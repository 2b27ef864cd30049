import { describe, expect } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import type { Outcome } from '#lib/commands/command.ts'
import { exportEvidence } from '#lib/commands/evidence.ts'
import { commandNamed } from '#lib/commands/kind.ts'
import { requestPage } from '#lib/commands/policy/approval-list.ts'
import { readApproval, readFactsNow, waitingApprovals } from '#lib/commands/policy/approval-view.ts'
import { decideApproval, draftAgain } from '#lib/commands/policy/approvals.ts'
import { readCommand } from '#lib/commands/reconcile.ts'
import { appendNote } from '#lib/commands/store.ts'
import { evidenceFiles } from '#lib/evidence/evidence-page.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { age, bodiesOf, decide, effectOf, stateOf } from '#lib/testing/approval-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { decisionTest as test } from '#lib/testing/decision-world.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { claimOf } from './workspace/workspace-tables.ts'

const LIST = { view: 'waiting', kind: null, by: null, status: null, since: null, until: null } as const

test('a decision that two others must approve goes out after the second, and by its author', async ({
  arbitrator,
  admin,
  requestApproval,
  send,
}) => {
  const id = await requestApproval()
  await decide(arbitrator, id)
  expect(await send(id)).toMatchObject({
    class: 'approval',
    needed: 2,
    approvedBy: [{ name: 'arbitrator@example.com' }],
  })
  await decide(admin, id)
  expect((await send(id)).class).toBe('done')
})

test('two that approve at once both count', async ({ arbitrator, admin, requestApproval, send }) => {
  const id = await requestApproval()
  await Promise.all([decide(arbitrator, id), decide(admin, id)])
  expect((await send(id)).class).toBe('done')
})

test('one who declines ends it, though another has approved', async ({ arbitrator, admin, requestApproval, send }) => {
  const id = await requestApproval()
  await decide(arbitrator, id)
  await decide(admin, id, false, 'The carrier says otherwise')
  expect([await stateOf(id), (await send(id)).class]).toEqual(['closed', 'refused'])
})

test('a party of the case decides nothing about it', async ({ admin, requestApproval }) => {
  const id = await requestApproval()
  const kind = commandNamed('dispute.resolve')
  const parties = kind?.parties
  Object.assign(kind ?? {}, { parties: () => [admin.userId.toUpperCase()] })
  try {
    expect(await decide(admin, id)).toMatchObject({ ok: false, problem: { status: 403 } })
    expect(await readApproval(admin, id)).toMatchObject({ whyNot: expect.stringContaining('a party') })
  } finally {
    Object.assign(kind ?? {}, { parties })
  }
  expect(kind?.parties?.({}, (await factsOf(id)) as never)).toContain('00000000-0000-4000-8000-000000000011')
})

const factsOf = async (id: string) =>
  JSON.parse(
    (await (await store()).selectFrom('command').select('facts').where('id', '=', id).executeTakeFirstOrThrow()).facts,
  ) as Readonly<Record<string, string>>

test('who approves reads the same facts as its author: that the author is the assignee moves nothing', async ({
  admin,
  dispute,
  maker,
  requestApproval,
}) => {
  await executeForTest(maker, await draftForTest(maker, 'case.assign', { caseId: dispute.id }))
  const id = await requestApproval()
  expect(await readFactsNow(admin, id)).toMatchObject({ ok: true, moved: 'same' })
})

test('assigns an unassigned case to who asks', async ({ arbitrator, dispute, maker, requestApproval }) => {
  const id = await requestApproval()
  expect((await claimOf(await store(), dispute.id))?.holder).toBe(maker.actor)
  expect(await readFactsNow(arbitrator, id)).toMatchObject({ ok: true, moved: 'same' })
})

test('its time may end while it waits for a code', async ({
  arbitrator,
  admin,
  maker,
  requestApproval,
  askedForCode,
}) => {
  const id = await requestApproval(arbitrator)
  for (const by of [maker, admin]) await decide(by, id)
  const code = await askedForCode(id)
  await age(id, 9)
  const { command } = await executeForTest(arbitrator, id, code)
  expect(command.outcome).toMatchObject({ class: 'refused', title: 'The approval has expired' })
})

describe('a message of a party', () => {
  const changedFactsOf = (outcome: Outcome) => (outcome.class === 'approval' ? outcome.changedFacts : undefined)

  test('leaves approvals; the author reads it, and sends', async ({
    arbitrator,
    admin,
    dispute,
    maker,
    requestApproval,
    sendAfterReading,
  }) => {
    const id = await requestApproval()
    await decide(arbitrator, id)
    await decide(admin, id)
    await dispute.post('One more word')
    const stopped = await sendAfterReading(id, null)
    expect(changedFactsOf(stopped)?.now.map(({ label, value }) => [label, value])).toEqual([
      ['Messages', '2'],
      ['Last message', 'One more word'],
    ])
    await dispute.post('And another')
    expect(changedFactsOf(await sendAfterReading(id, changedFactsOf(stopped)?.mark ?? ''))?.now[0]?.value).toBe('3')
    expect(await stateOf(id)).toBe('awaiting_approval')
    const reread = await readCommand(maker, id, false)
    const mark = reread.ok ? changedFactsOf(reread.command.outcome)?.mark : undefined
    expect((await sendAfterReading(id, mark ?? '')).class).toBe('done')
    expect((await bodiesOf(id)).find(({ acknowledged }) => acknowledged !== undefined)).toMatchObject({
      acknowledged: 'Messages: 3, Last message: And another',
    })
  })

  test('is read before it is approved', async ({ arbitrator, dispute, requestApproval }) => {
    const id = await requestApproval()
    const seen = await readFactsNow(arbitrator, id)
    await dispute.post('One more word')
    const approval = { approves: true, effect: await effectOf(id), reason: '' }
    for (const factsMark of [seen?.ok ? seen.changedFacts.mark : '', undefined]) {
      const given = factsMark === undefined ? approval : { ...approval, factsMark }
      expect(await decideApproval(arbitrator, id, given)).toMatchObject({ ok: false, problem: { status: 409 } })
    }
    expect(await readFactsNow(arbitrator, id)).toMatchObject({ ok: true, moved: 'changed' })
    expect(await decide(arbitrator, id)).toMatchObject({ ok: true, command: { outcome: { approvedBy: [{}] } } })
  })

  test('while it waits for a code leaves it, too', async ({
    arbitrator,
    admin,
    dispute,
    maker,
    requestApproval,
    askedForCode,
    sendAfterReading,
  }) => {
    const id = await requestApproval(arbitrator)
    for (const by of [maker, admin]) await decide(by, id)
    const code = await askedForCode(id)
    await dispute.post('One more word')
    const stopped = (await executeForTest(arbitrator, id, code)).command
    expect(stopped).toMatchObject({ yours: true, approved: { button: expect.any(String) } })
    expect((await sendAfterReading(id, changedFactsOf(stopped.outcome)?.mark ?? '', arbitrator)).class).toBe('done')
  })

  describe('under a policy with reread', () => {
    test.override('rules', [{ kind: 'dispute.resolve', approval: { by: 2, reread: true } }])

    const markOf = async (reader: Session, id: string) => {
      const facts = await readFactsNow(reader, id)
      return facts?.ok ? facts.changedFacts.mark : ''
    }
    const readAgain = async (reader: Session, id: string, factsMark: string) =>
      decideApproval(reader, id, { approves: true, effect: await effectOf(id), reason: '', factsMark })
    const waitsFor = async (reader: Session) => (await waitingApprovals(reader)).toDecide.map(({ id }) => id)

    test('it is sent only after an approver has read it', async ({
      arbitrator,
      admin,
      maker,
      sendAfterReading,
      approvedBefore,
    }) => {
      const id = await approvedBefore('One more word')
      const own = changedFactsOf(await sendAfterReading(id, null))?.mark ?? ''
      expect(await sendAfterReading(id, own)).toMatchObject({ rereadOf: own, approvedBy: [{}, {}] })
      expect([await waitsFor(arbitrator), await waitsFor(maker)]).toEqual([[id], []])
      const page = await requestPage(arbitrator, LIST, { page: 1, size: 10 })
      expect(page.rows).toMatchObject([{ id }])
      await readAgain(arbitrator, id, await markOf(arbitrator, id))
      expect([await waitsFor(arbitrator), await waitsFor(admin)]).toEqual([[], []])
      expect((await sendAfterReading(id, own)).class).toBe('done')
      expect((await bodiesOf(id)).find(({ reread }) => reread)).toMatchObject({ by: arbitrator.actor, seenFacts: own })
    })

    test('one by its author can be read, then it is sent', async ({
      arbitrator,
      admin,
      dispute,
      maker,
      requestApproval,
      sendAfterReading,
    }) => {
      const id = await requestApproval()
      for (const by of [arbitrator, admin]) await decide(by, id)
      await runCommand(maker, 'dispute.message', { caseId: dispute.id, body: 'I decide this today.' })
      const mark = changedFactsOf(await sendAfterReading(id, null))?.mark ?? ''
      expect(await sendAfterReading(id, mark)).toMatchObject({ rereadOf: mark })
      expect(await markOf(arbitrator, id)).toBe(mark)
      await readAgain(arbitrator, id, mark)
      expect((await sendAfterReading(id, mark)).class).toBe('done')
    })

    test('it needs no reading once the facts are the same', async ({
      arbitrator,
      admin,
      dispute,
      maker,
      requestApproval,
    }) => {
      const id = await requestApproval()
      await decide(arbitrator, id)
      await decide(admin, id)
      await runCommand(admin, 'case.reassign-to-me', { caseId: dispute.id, from: maker.actor })
      await markOf(arbitrator, id)
      expect(await waitsFor(arbitrator)).toEqual([id])
      await runCommand(admin, 'case.unassign', { caseId: dispute.id })
      expect(await readCommand(maker, id, false)).toMatchObject({
        command: { approved: { button: expect.any(String) } },
      })
      expect(await waitsFor(arbitrator)).toEqual([])
      expect((await commandHistory(maker, id))?.events.at(-1)).toMatchObject({ by: null })
    })

    test('a request to read again is by the console', async ({ arbitrator, maker, approvedBefore }) => {
      const id = await approvedBefore('One more word')
      await markOf(arbitrator, id)
      const { events = [] } = (await commandHistory(maker, id)) ?? {}
      expect(events.at(-1)).toMatchObject({ by: null, notes: [['asksToRead', 'true']] })
      const exported = await exportEvidence(maker, id)
      const page = exported?.ok ? evidenceFiles(id, exported).page.text : ''
      expect(page).toMatch(/data-label="By">the console<\/td>\s*<td data-label="Details"><p><span>Requested:/)
    })

    test('an approver who read older messages does not count', async ({
      arbitrator,
      dispute,
      sendAfterReading,
      approvedBefore,
    }) => {
      const id = await approvedBefore('One more word')
      const old = await markOf(arbitrator, id)
      await dispute.post('And another')
      expect(await readAgain(arbitrator, id, old)).toMatchObject({ ok: false, problem: { status: 409 } })
      await readAgain(arbitrator, id, await markOf(arbitrator, id))
      await dispute.post('A last one')
      const mark = changedFactsOf(await sendAfterReading(id, null))?.mark ?? ''
      expect(await sendAfterReading(id, mark)).toMatchObject({ class: 'approval', rereadOf: mark })
    })

    test('its author cannot read in the place of an approver', async ({ maker, sendAfterReading, approvedBefore }) => {
      const id = await approvedBefore('One more word')
      expect(await readAgain(maker, id, await markOf(maker, id))).toMatchObject({ ok: false, problem: { status: 403 } })
      const mark = changedFactsOf(await sendAfterReading(id, null))?.mark ?? ''
      const forged = { reread: true, by: maker.actor, seenFacts: mark }
      await inJournal(await store(), async (trx) => appendNote(trx, id, forged))
      expect(await sendAfterReading(id, mark)).toMatchObject({ rereadOf: mark })
    })

    test('an approval that saw it is enough', async ({
      arbitrator,
      admin,
      dispute,
      requestApproval,
      sendAfterReading,
    }) => {
      const id = await requestApproval()
      await decide(arbitrator, id)
      await dispute.post('One more word')
      await decide(admin, id)
      const mark = changedFactsOf(await sendAfterReading(id, null))?.mark ?? ''
      expect((await sendAfterReading(id, mark)).class).toBe('done')
    })

    test('an approver may decline after reading it', async ({ admin, maker, send, approvedBefore }) => {
      const id = await approvedBefore('We have settled it between us.')
      await decide(admin, id, false, 'They have settled it.')
      expect([await stateOf(id), (await send(id)).class]).toEqual(['closed', 'refused'])
      expect(await waitingApprovals(maker)).toMatchObject({ endedUnsent: [{ id }] })
    })

    test('it ends while the service waits for a code', async ({
      arbitrator,
      admin,
      dispute,
      maker,
      requestApproval,
      askedForCode,
    }) => {
      const id = await requestApproval(arbitrator)
      for (const by of [maker, admin]) await decide(by, id)
      const code = await askedForCode(id)
      await dispute.post('One more word')
      expect((await executeForTest(arbitrator, id, code)).command).toMatchObject({ outcome: { class: 'changed' } })
      expect(await stateOf(id)).toBe('refused')
    })
  })

  test('is read in the case before asking again', async ({ admin, dispute, maker, requestApproval }) => {
    const id = await requestApproval()
    await decide(admin, id, false, 'Ask the carrier first')
    expect(await draftAgain(maker, id)).toMatchObject({ ok: true })
    await dispute.post('The goods arrived. Please release it.')
    expect(await draftAgain(maker, id)).toMatchObject({
      ok: false,
      fields: { latestMessageId: 'A new message arrived. Read it, then resolve.' },
    })
  })

  test('is not why it is lost, and a decision elsewhere is', async ({
    arbitrator,
    dispute,
    maker,
    requestApproval,
  }) => {
    const id = await requestApproval()
    await decide(arbitrator, id)
    await dispute.post('One more word')
    await dispute.resolve('Decided elsewhere')
    expect(await readCommand(maker, id, false)).toMatchObject({ ok: true, command: { outcome: { class: 'changed' } } })
    expect(await draftAgain(maker, id)).toMatchObject({ ok: false, fields: { caseId: expect.any(String) } })
  })
})

test('a second decision, the same or the opposite, is led to the first', async ({
  admin,
  decisionNow,
  requestApproval,
}) => {
  const id = await requestApproval()
  for (const decision of ['refund', 'release']) {
    const params = { ...(await decisionNow()), decision }
    expect(await draftOf(admin, 'dispute.resolve', params)).toMatchObject({ ok: false, heldBy: id })
  }
})
