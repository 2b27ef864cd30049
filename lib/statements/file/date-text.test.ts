import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { judgeDates, readDate } from './date-text.ts'

const judge = (...texts: string[]) => judgeDates(texts.map((text, at) => ({ place: at + 2, text })))

describe('a date', () => {
  test.each([
    ['2026-05-04', '2026-05-04'],
    ['2026/5/4 10:15', '2026-05-04'],
    ['2026-05-04T10:15:00Z', '2026-05-04'],
    ['20260504', '2026-05-04'],
    ['04.05.2026', '2026-05-04'],
    ['4/5/26', '2026-05-04'],
    ["4/5'26", '2026-05-04'],
    ['4 May 2026', '2026-05-04'],
    ['04-Mai-26', '2026-05-04'],
    ['May 4, 2026', '2026-05-04'],
    ['Dez 4 2026', '2026-12-04'],
  ])('%s is %s with the day first', (text, day) => expect(readDate(text, 'dmy')).toBe(day))

  test('has another meaning with the month first', () => expect(readDate('4/5/2026', 'mdy')).toBe('2026-04-05'))

  test.each(['31.02.2026', '2026-13-01', '31/31/2026', '29 Feb 2025'])('%s does not exist', (text) =>
    expect(readDate(text, 'dmy')).toBeNull(),
  )

  test.each(['pending', '', '4 Foo 2026', '12.50', '2026'])('“%s” is none', (text) =>
    expect(readDate(text, 'dmy')).toBeUndefined(),
  )
})

describe('the order of day and month', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-06-01T12:00:00Z') }))
  afterEach(() => void vi.useRealTimers())

  test.each([
    ['certain', ['2026-05-04', '4 May 2026', '05/05/2026', 'pending']],
    ['dmy', ['03/04/2026', '13/04/2026']],
    ['dmy', ['03.04.2026']],
    ['mdy', ['03/04/2026', '04/13/2026']],
    ['mixed', ['13/04/2026', '04/13/2026']],
    ['undecided', ['03/04/2026', '04/03/2026']],
    ['mixed', ['20-05-26', '26-05-05']],
    ['mixed', ['26-05-20', '26-05-25']],
    ['mixed', ['26/05/31']],
    ['mixed', ['26.05.20 10:15']],
    ['swapped', ['2026-04-05', '13/05/2026']],
    ['swapped', ['13.04.2026', '2026-04-05 10:15', '04-13-2026']],
    ['swapped', ['2026-04-12', '2026-12-04', '13/05/2026']],
    ['dmy', ['2026-04-05', '2026-04-13', '31/05/2026 14:02']],
    ['mdy', ['2026-04-30 10:15', '05/31/2026']],
    ['dmy', ['2026-04-05', '13.05.2026', '04.05.2026']],
    ['dmy', ['2026-04-05', '13/05/2026 pending']],
    ['mixed', ['2026-04-05', '26-05-20']],
    ['dmy', ['20-05-26', '27-05-26', '31-12-25']],
    ['dmy', ['05.06.26', '28.11.25']],
    ['dmy', ['14/03/14']],
    ['dmy', ['03.11.25', '26.11.25', '28.11.25']],
    ['dmy', ['26/11/25']],
    ['mixed', ['31.12.25', '24-05-26', '26-05-20']],
    ['mdy', ['05/20/26', '05/26/25']],
    ['mdy', ["5/25'26"]],
  ] as const)('is %s for %j', (verdict, texts) => expect(judge(...texts).verdict).toBe(verdict))

  test('is asked with both readings of an example', () =>
    expect(judge('05/05/2026', '03/04/2026').examples).toEqual([
      { place: 3, text: '03/04/2026', readings: { dmy: '2026-04-03', mdy: '2026-03-04' } },
    ]))
})
