import { expect, test } from 'vitest'
import { idMark, MARK_COLOURS, MARK_SHAPES } from './ids.ts'

const idOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
const ids = Array.from({ length: 5_000 }, (_, at) => idOf(at))

const counts = (values: readonly number[]): readonly number[] => {
  const found = new Map<number, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return [...found.values()]
}

test('the mark of an id never changes: people know each other’s cases by it', () => {
  expect(idMark('018f5e6a-0000-4000-8000-00000000a001')).toEqual([
    { shape: 7, colour: 1 },
    { shape: 2, colour: 5 },
  ])
  expect(idMark('')).toEqual(idMark('  '))
})

test('an id has one mark, however it is written', () => {
  for (const id of ids.slice(0, 50)) expect(idMark(` ${id.toUpperCase()} `)).toEqual(idMark(id))
})

test('ids that differ in their last digits alone are spread evenly over all shapes and colours, in both halves', () => {
  for (const half of [0, 1] as const) {
    const shapes = counts(ids.map((id) => idMark(id)[half].shape))
    const colours = counts(ids.map((id) => idMark(id)[half].colour))
    expect(shapes).toHaveLength(MARK_SHAPES)
    expect(colours).toHaveLength(MARK_COLOURS)
    expect(Math.min(...shapes)).toBeGreaterThan((0.8 * ids.length) / MARK_SHAPES)
    expect(Math.min(...colours)).toBeGreaterThan((0.8 * ids.length) / MARK_COLOURS)
  }
})

test('two ids seldom share a mark, and of shapes alone there are still 64', () => {
  const marks = ids.map((id) => JSON.stringify(idMark(id)))
  const same = marks.slice(1).filter((mark, at) => mark === marks[at]).length
  expect(same).toBeLessThan(10)
  expect(new Set(ids.map((id) => idMark(id).map(({ shape }) => shape)).map(String)).size).toBe(MARK_SHAPES ** 2)
})
