import { mkdirSync, writeFileSync } from 'node:fs'
import { commitName } from '../scripts/run-head.ts'
import { machineLoad } from './machine.ts'

export const RECORDS = 'test-results/bench'

/** One line of the table of all parts. */
export interface Row {
  readonly figure: string
  readonly seen: string
  /** Empty where none is set. */
  readonly aim: string
  /** Null where there is no aim. */
  readonly met: boolean | null
}

/** What one run of a part gave. */
export interface PartRecord {
  readonly part: string
  readonly at: string
  readonly commit: string
  readonly loads: readonly [before: string, after: string]
  readonly rows: readonly Row[]
}

const begun = { at: new Date().toISOString(), load: machineLoad(), commit: commitName() }

/** Leaves a part's figures for the table of all parts, in place of those of its run before. */
export function handOver(part: string, rows: readonly Row[]): void {
  const loads = [begun.load, machineLoad()] as const
  const record: PartRecord = { part, at: begun.at, commit: begun.commit, loads, rows }
  mkdirSync(RECORDS, { recursive: true })
  writeFileSync(`${RECORDS}/${part}.json`, `${JSON.stringify(record, null, 2)}\n`)
}

/** A figure that is to be at most its aim. */
export function atMost(figure: string, value: number, aim: number, show: (value: number) => string = String): Row {
  return { figure, seen: show(value), aim: `at most ${show(aim)}`, met: value <= aim }
}

export const told = (figure: string, seen: string): Row => ({ figure, seen, aim: '', met: null })
