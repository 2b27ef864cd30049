import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('docs/approvals.md names each test of the ways around an approval, and none that is not there', () => {
  const files = [
    'lib/commands/approvals/approval-gate.test.ts',
    'lib/statements/approved-lines.test.ts',
    'lib/commands/settle-kind.test.ts',
  ]
  const tests = files.map((file) => readFileSync(file, 'utf8')).join()
  const rows = readFileSync('docs/approvals.md', 'utf8').matchAll(/^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)
  const named = [...rows].map(([, title = '']) => title.trim()).filter((title) => title !== 'test' && title !== '---')
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((title) => !tests.includes(`'${title.replace('of approval is', 'of %s is')}'`))).toEqual([])
})
