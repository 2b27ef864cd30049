import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const OVER_HTTP = ['approvals', 'approval-ways', 'passkeys'].map((name) => `e2e/security/${name}.spec.ts`)
const FILES = [...OVER_HTTP, 'lib/commands/policy/approvals.test.ts', 'lib/commands/settle-kind.test.ts']

const read = (file: string) => readFileSync(file, 'utf8')
const titlesIn = (text: string) => [...text.matchAll(/^test\('([^']+)'/gm)].map(([, title = '']) => title)

test('docs/approvals.md names each test of the ways around an approval, and none that is not there', () => {
  const rows = read('docs/approvals.md').matchAll(/^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)
  const named = [...rows].map(([, title = '']) => title.trim()).filter((title) => title !== 'test' && title !== '---')
  const tests = FILES.map(read).join('')
  expect(named.filter((title) => !tests.includes(`'${title.replace('of approval is', 'of %s is')}'`))).toEqual([])
  const tried = OVER_HTTP.flatMap((file) => titlesIn(read(file)))
  expect(tried.length).toBeGreaterThan(15)
  expect(tried.filter((title) => !named.includes(title))).toEqual([])
})
