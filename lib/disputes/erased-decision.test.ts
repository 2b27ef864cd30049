import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { eraseOldText } from '#lib/commands/erase-text.ts'
import { findCommand } from '#lib/commands/store.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { caseTest } from '#lib/testing/test-worlds.ts'
import { knownCategory, knownDecision, knownReversal } from './resolution.ts'
import { readWholeThread } from './thread/case-thread.ts'

const REASON = 'The parcel of Dolores Canary never left.'
const DAY_MS = 86_400_000

const test = caseTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  /** Resolves the case; answers the id of the change after its text is erased. */
  .extend('resolveAndErase', ({ newcomer, dispute }) => async (given: object): Promise<string> => {
    const thread = await readWholeThread(newcomer, dispute.id)
    const latestMessageId = (thread.ok && thread.value.messages.at(-1)?.id) || ''
    const about = { caseId: dispute.id, referenceId: dispute.referenceId, latestMessageId }
    const { command } = await runCommand(newcomer, 'dispute.resolve', { ...about, ...given })
    const settled_at = new Date(Date.now() - 40 * DAY_MS).toISOString()
    await (await store()).updateTable('command').set({ settled_at }).where('id', '=', command.id).execute()
    Object.assign(config(), { textKeptDays: 30 })
    putPerProcess('text retention', undefined)
    await eraseOldText()
    return command.id
  })

test.for(['refund', 'release'] as const)(
  'a %s without its texts keeps decision, reversal and category',
  async (decision, { newcomer, dispute, resolveAndErase }) => {
    const category = randomUUID()
    await runCommand(newcomer, 'category.save', { id: category, name: 'Not delivered', changedAt: '' })
    const row = await findCommand(await store(), await resolveAndErase({ decision, reason: REASON, category }))
    expect(JSON.stringify(row)).not.toContain('Canary')
    expect(row?.confirm_text).toContain('Not delivered')
    const shown = await latestCommand(newcomer, 'dispute.resolve', dispute.id)
    expect(knownDecision(shown)).toBe(decision)
    expect(knownReversal(shown)).toEqual(decision === 'release' ? 'none' : { reference: expect.stringMatching(/^REV/) })
    expect(knownCategory(shown)).toBe('Not delivered')
  },
)
