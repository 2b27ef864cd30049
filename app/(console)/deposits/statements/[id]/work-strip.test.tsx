import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { WorkStrip } from './work-strip.tsx'

const WORK: StatementWork = {
  work: null,
  by: 'ana@example.com',
  done: 1,
  total: 1204,
  stopping: false,
  pausedUntil: null,
  cutOff: false,
  goesOn: false,
  ended: '',
  wantsCode: false,
  run: 1,
}

const rendered = (work: Partial<StatementWork>) =>
  renderToStaticMarkup(<WorkStrip work={{ ...WORK, ...work }} fault={null} onStop={() => {}} />)

test.each([
  ['look', 'Looking up'],
  ['confirm', 'Confirming'],
] as const)('beside the bar of a %s the counts stand in words', (work, word) => {
  const strip = rendered({ work })
  expect(strip).toContain('role="progressbar"')
  expect(strip.replace(/<[^>]+>/g, '')).toContain(`${word} for ana@example.com: 1 of 1,204.`)
})

test('says which interrupted work continues automatically', () => {
  expect(rendered({ cutOff: true, goesOn: true })).toContain('continues automatically when ana@example.com is back')
  expect(rendered({ cutOff: true })).toContain('Start it again')
})

test('without work there is no bar, and how the latest ended is said', () => {
  expect(rendered({ ended: 'Stopped.' }).replace(/<[^>]+>/g, '')).toBe('Stopped.')
})
