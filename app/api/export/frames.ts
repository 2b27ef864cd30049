import { FILTER_NOT_SAVED } from '#lib/activity/command-place.ts'
import { refusalProblem, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import { consoleProblem } from '#lib/commands/send.ts'
import { config } from '#lib/config/config.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type AuditEntry, type AuditFacts, auditFailed, recordAudit } from '#lib/session/audit-trail.ts'
import { liveSessions } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { historyHeadings, historyLine, unreadableLine } from '#lib/users/history-export.ts'
import { fitsFilter, type HistoryFilter } from '#lib/users/history-filter.ts'
import type { HistoryPart, PlacedRow } from '#lib/users/whole-history.ts'
import { BYTE_ORDER_MARK, type ExportFrame, type FileWriter } from '#lib/values/csv.ts'
import { holdsCardNumber } from '#lib/values/text.ts'
import { dayOf } from '#lib/values/time.ts'
import { jsonLines } from '../answer.ts'

export interface ExportTally {
  readonly rows: number
  /** The rows read, including those that the filter left out. */
  readonly read: number
  readonly end: AuditFacts['export.history']['end']
}

type RecordExport = (tally: ExportTally) => Promise<void>

export const sendExport = (
  session: Session,
  frames: AsyncIterable<ExportFrame>,
  entryOf: (tally: ExportTally) => AuditEntry,
): Response =>
  jsonLines(auditExport(whileSignedIn(session, frames), async (tally) => recordAudit(await store(), entryOf(tally))))

/** Calls `record` before the last frame and fails the export if that throws. Incomplete exports are recorded too. */
export async function* auditExport(
  frames: AsyncIterable<ExportFrame>,
  record: RecordExport,
): AsyncGenerator<ExportFrame, void, undefined> {
  let [tally, recorded]: [ExportTally, boolean] = [{ rows: 0, read: 0, end: 'left' }, false]
  try {
    for await (const frame of frames) {
      if (frame.kind === 'rows') tally = { ...tally, rows: frame.rows, read: frame.read ?? frame.rows }
      if (frame.kind === 'problem') tally = { ...tally, end: 'failed' }
      if (frame.kind === 'end') {
        recorded = true
        try {
          await record({ ...tally, end: frame.cut ? 'cut' : 'whole' })
        } catch (error) {
          return yield { kind: 'problem', problem: consoleProblem(error) }
        }
      }
      yield frame
    }
  } finally {
    if (!recorded && tally.rows > 0) await record(tally).catch((error) => auditFailed('an export', error))
  }
}

async function* whileSignedIn(
  { id }: Pick<Session, 'id'>,
  frames: AsyncIterable<ExportFrame>,
): AsyncGenerator<ExportFrame, void, undefined> {
  for await (const frame of frames) {
    if (!liveSessions().has(id)) return yield { kind: 'problem', problem: problemOf('session-over', { status: 401 }) }
    yield frame
  }
}

/** For example `cases-open-filtered-2026-11-20.csv`. */
export const exportName = (list: string, filtered: boolean, format = 'csv'): string =>
  `${list}${filtered ? '-filtered' : ''}-${dayOf(Date.now(), config().businessZone)}.${format}`

/** Scopes may lapse during the export; what others did would be missing. */
export async function* whileScopesRead(
  session: Session,
  frames: AsyncIterable<ExportFrame>,
): AsyncGenerator<ExportFrame, void, undefined> {
  for await (const frame of frames) {
    const unread = frame.kind === 'start' ? null : await refusedWithoutScopes(session)
    if (unread !== null) return yield { kind: 'problem', problem: refusalProblem(unread) }
    yield frame
  }
}

/** It is free text, so a card number in it is not stored. */
export const auditedFilter = (query: URLSearchParams): string =>
  holdsCardNumber([...query.values()].join('\n')) ? FILTER_NOT_SAVED : query.toString()

interface Part<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  readonly unreadable?: number
}

/** Reads the next part only when the previous one was taken. */
export async function* writtenFrames<Row>(
  parts: AsyncIterable<Part<Row>>,
  writer: FileWriter<Row>,
  fileName: string,
): AsyncGenerator<ExportFrame, void, undefined> {
  let [rows, all, unread] = [0, 0, 0]
  yield { kind: 'start', fileName, text: writer.begin }
  try {
    for await (const { rows: part, total, unreadable = 0 } of parts) {
      const text = writer.rows(part, rows === 0)
      rows += part.length
      all = total
      unread = unreadable
      yield { kind: 'rows', text, rows, total }
    }
  } catch (error) {
    return yield { kind: 'problem', problem: consoleProblem(error) }
  }
  yield { kind: 'end', text: writer.end, rows, unreadable: unread, cut: rows < all }
}

/** A filter never removes rows that cannot be read. */
export async function* historyFrames(
  parts: AsyncIterable<HistoryPart>,
  fileName: string,
  filter: HistoryFilter | null = null,
): AsyncGenerator<ExportFrame, void, undefined> {
  const fits = filter === null ? null : fitsFilter(filter)
  let [rows, read, unreadable, cut] = [0, 0, 0, false]
  yield { kind: 'start', fileName, text: BYTE_ORDER_MARK + historyHeadings }
  try {
    for await (const part of parts) {
      if (!part.ok) return yield { kind: 'problem', problem: part.problem }
      const wanted = fits === null ? part.rows : part.rows.filter((row) => !row.readable || fits(row.value))
      rows += wanted.length
      read += part.rows.length
      unreadable += part.rows.filter(({ readable }) => !readable).length
      cut = part.more
      const text = wanted.map(lineOf).join('')
      yield { kind: 'rows', text, rows, total: part.total, ...(fits === null ? {} : { read }) }
    }
  } catch (error) {
    return yield { kind: 'problem', problem: consoleProblem(error) }
  }
  yield { kind: 'end', text: '', rows, unreadable, cut }
}

const lineOf = (row: PlacedRow): string => (row.readable ? historyLine(row.value) : unreadableLine(row.place))
