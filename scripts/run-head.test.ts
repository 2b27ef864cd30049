import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitName } from './run-head.ts'

test('a table made in a folder without git says that its commit is unknown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-without-git-'))
  try {
    expect(commitName(folder)).toBe('unknown')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
