import 'server-only'
import { store } from '#lib/store/store.ts'
import { countFoundReferences } from './found-references.ts'
import {
  countOpenLines,
  type EditedLine,
  findEditedReady,
  type ReadyTotal,
  readyTotal,
  runTotal,
  type SetAsideTotal,
  type StatementTotal,
  setAsideReasons,
  totalsOf,
} from './line-table.ts'
import { doneBy, viewOfLine } from './line-view.ts'
import { listLines } from './shown-lines.ts'
import { findStatement, type StatementRow } from './statement-table.ts'
import type {
  DoneBy,
  LineCounts,
  LineTotal,
  LineView,
  RunSummary,
  StatementProgress,
  StatementWork,
} from './statement-view.ts'
import { isHandled, type LineStatus } from './statement-view.ts'
import { type WorkRow, workOn } from './work.ts'

const EDITED_MAX = 20
const REASONS_MAX = 20

export interface StatementPage {
  readonly statement: StatementRow
  readonly work: StatementWork
  readonly counts: LineCounts
  readonly totals: readonly LineTotal[]
  /** The oldest lookup among lines that need work, or null. */
  readonly lookedAt: string | null
  /** Null while a line needs work. */
  readonly closing: readonly SetAsideTotal[] | null
  readonly ready: ReadyTotal & { readonly edited: readonly (DoneBy & { readonly number: number })[] }
  readonly lines: readonly LineView[]
  readonly found: number
  readonly total: number
}

export async function readStatement(
  id: string,
  wanted: { readonly status: LineStatus | null; readonly page: number; readonly size: number },
): Promise<StatementPage | null> {
  const db = await store()
  const [statement, work] = await Promise.all([findStatement(db, id), readWork(id)])
  if (statement === undefined || statement.discarded_at !== null || work === null) return null
  const [totals, ready, edited, lines] = await Promise.all([
    totalsOf(db, id),
    readyTotal(db, id),
    findEditedReady(db, id, EDITED_MAX),
    listLines(db, id, wanted),
  ])
  const counts = countsOf(totals)
  const all = totals.reduce((sum, { count }) => sum + count, 0)
  const handled = totals.every(({ status }) => isHandled(status))
  return {
    statement,
    work,
    counts,
    totals: totals.map(({ status, currency, count, sum }) => ({ status, currency, count, sum })),
    lookedAt: oldestLook(totals),
    closing: handled ? await setAsideReasons(db, id, REASONS_MAX) : null,
    ready: { ...ready, edited: edited.flatMap(editOf) },
    lines: lines.map(viewOfLine),
    found: counts.unknown === undefined ? 0 : await countFoundReferences(db, id),
    total: wanted.status === null ? all : (counts[wanted.status] ?? 0),
  }
}

function countsOf(totals: readonly StatementTotal[]): LineCounts {
  const counts: Partial<Record<LineStatus, number>> = {}
  for (const { status, count } of totals) counts[status] = (counts[status] ?? 0) + count
  return counts
}

function oldestLook(totals: readonly StatementTotal[]): string | null {
  const looks = (some: readonly StatementTotal[]) => some.flatMap(({ looked_at }) => looked_at ?? []).sort()
  return looks(totals.filter(({ status }) => !isHandled(status)))[0] ?? looks(totals).at(-1) ?? null
}

const editOf = ({ number, edited_by, edited_at }: EditedLine) => {
  const edited = doneBy(edited_by, edited_at)
  return edited === null ? [] : [{ number, ...edited }]
}

export async function readStatementProgress(id: string): Promise<StatementProgress | null> {
  const [work, open] = await Promise.all([readWork(id), store().then((db) => countOpenLines(db, id))])
  return work && { work, open }
}

export async function readWork(id: string): Promise<StatementWork | null> {
  const row = await workOn(id)
  if (row === undefined) return null
  const cutOff = row.work !== null && !row.alive
  return {
    work: cutOff ? null : row.work,
    by: row.work_by ?? '',
    done: row.work_done,
    total: row.work_total,
    stopping: row.work_stop,
    pausedUntil: cutOff ? null : row.work_paused_until,
    cutOff,
    goesOn: cutOff && row.work_session !== null,
    ended: row.work_ended ?? '',
    wantsCode: row.work_wants_code,
    run: row.work_runs,
    summary: await readSummary(id, row),
  }
}

/** Skipped lines have no command: they are counted until the next lookup, which decides about them again. */
async function readSummary(id: string, row: WorkRow): Promise<RunSummary | null> {
  const run = row.work_extent === null ? row.work_token : null
  const total = await runTotal(await store(), id, run)
  const batch = total?.batch ?? run
  if (batch === null) return null
  const { confirmed, sum, open, ended } = total ?? { confirmed: 0, sum: '0', open: 0, ended: 0 }
  const notDone = run === null ? ended : Math.max(ended, row.work_done - confirmed - open)
  return { batch, isLatest: run !== null, confirmed, sum, notDone, notKnown: open }
}
