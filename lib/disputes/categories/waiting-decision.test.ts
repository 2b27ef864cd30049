import { describe, expect } from 'vitest'
import { readApproval } from '#lib/commands/policy/approval-view.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { findEntry } from '#lib/disputes/named-list.ts'
import { store } from '#lib/store/store.ts'
import { decide } from '#lib/testing/approval-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { decisionTest } from '#lib/testing/decision-world.ts'
import { draftForTest } from '#lib/testing/gated-deposit.ts'

const CATEGORY = '00000000-0000-4000-8000-0000000000c1'

const test = decisionTest.extend('askedWithCategory', ({ admin, maker, decisionNow }) => async (): Promise<string> => {
  await runCommand(admin, 'category.save', { id: CATEGORY, name: 'Late', changedAt: '' })
  const command = await draftForTest(maker, 'dispute.resolve', { ...(await decisionNow()), category: CATEGORY })
  await askForApproval(maker, command, { reason: 'The carrier says so', proof: null })
  return command
})

describe('the category of a decision that waits', () => {
  test('is shown to its approver', async ({ arbitrator, askedWithCategory }) => {
    const command = await askedWithCategory()
    const view = await readApproval(arbitrator, command)
    expect(JSON.stringify(view)).toContain('{"label":"Category","value":"Late","as":"text"}')
  })

  test('is refused if it is retired meanwhile', async ({
    service,
    arbitrator,
    admin,
    dispute,
    send,
    askedWithCategory,
  }) => {
    const command = await askedWithCategory()
    await decide(arbitrator, command)
    await decide(admin, command)
    const saved = await findEntry(await store(), { table: 'case_category' }, CATEGORY)
    await runCommand(admin, 'category.retire', { id: CATEGORY, changedAt: saved?.changedAt ?? '' })
    expect(await send(command)).toMatchObject({ class: 'refused', title: 'The category is retired' })
    expect(await service.arrived('POST', `/api/v1/Dispute/${dispute.id}/resolve`)).toBe(0)
  })

  test('is not asked for after a first one was added', async ({ arbitrator, admin, requestApproval, send }) => {
    const command = await requestApproval()
    await runCommand(admin, 'category.save', { id: CATEGORY, name: 'Late', changedAt: '' })
    await decide(arbitrator, command)
    await decide(admin, command)
    expect((await send(command)).class).toBe('done')
  })
})
