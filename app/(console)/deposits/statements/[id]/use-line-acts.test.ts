import { expect, test } from 'vitest'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { isBusy } from './use-line-acts.ts'

const workOf = (work: StatementWork['work'], run: number) => ({ work, run }) as StatementWork

test.each([
  ['no work', workOf(null, 1), workOf(null, 1), false],
  ['a run', workOf('confirm', 2), workOf(null, 1), true],
  ['the end of a run', workOf(null, 2), workOf('confirm', 2), true],
  ['a run that the page has missed', workOf(null, 3), workOf(null, 2), true],
  ['the lines after a run', workOf(null, 2), workOf(null, 2), false],
])('confirming waits for the lines after a run: %s', (_what, work, served, expected) => {
  expect(isBusy(work, served)).toBe(expected)
})
