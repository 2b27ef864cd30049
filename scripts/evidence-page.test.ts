import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { evidencePage, evidenceSections } from './evidence-page.ts'

const WHEN_AND_WHERE = /^Run on \d{4}-\d\d-\d\d, \d+ cores, \d+ GiB/m

test('docs/evidence.md has a section of each command, with date and machine or with the word that it was not run', () => {
  const page = readFileSync('docs/evidence.md', 'utf8')
  for (const { command } of evidenceSections) {
    const [, section = ''] = page.split(`\n## \`${command}\`\n`)
    const [text = ''] = section.split('\n## ')
    expect(text.includes(`Not run yet: \`${command}\`.`) || WHEN_AND_WHERE.test(text), command).toBe(true)
  }
  expect(evidencePage(page, () => null)).toBe(page)
})

test('a table that is there takes the place of the one before, and the others stay', () => {
  const tables = (day: string, only: string) => (file: string) =>
    file.endsWith(only) ? `Run on ${day}, 2 cores, 8 GiB.\n\n| a |\n| --- |\n| ${day} |\n` : null
  const first = evidencePage('', tables('2026-01-01', '.md'))
  expect(first.match(/\| 2026-01-01 \|/g)).toHaveLength(evidenceSections.length)
  const second = evidencePage(first, tables('2026-02-02', 'bench.md'))
  expect(second.match(/\| 2026-01-01 \|/g)).toHaveLength(evidenceSections.length - 1)
  expect(second.match(/\| 2026-02-02 \|/g)).toHaveLength(1)
  expect(evidencePage('', () => null).match(/^Not run yet/gm)).toHaveLength(evidenceSections.length)
})
