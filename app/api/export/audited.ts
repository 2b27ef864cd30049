import { consoleProblem } from '#lib/commands/running-sends.ts'
import { type AuditFacts, auditFailed } from '#lib/session/audit-trail.ts'
import type { ExportFrame } from '#lib/values/export-frame.ts'
import { holdsCardNumber } from '#lib/values/typed-line.ts'

export interface Came {
  readonly rows: number
  /** The rows read, including those that the filter left out. */
  readonly read: number
  readonly end: AuditFacts['export.history']['end']
}

type RecordExport = (came: Came) => Promise<void>

/**
 * Calls `record` before the last frame and fails the export if that throws, so that no file is complete without an
 * entry in the audit trail. Cancelled and failed exports are recorded too.
 */
export async function* audited(
  frames: AsyncIterable<ExportFrame>,
  record: RecordExport,
): AsyncGenerator<ExportFrame, void, undefined> {
  let [came, told]: [Came, boolean] = [{ rows: 0, read: 0, end: 'left' }, false]
  try {
    for await (const frame of frames) {
      if (frame.kind === 'rows') came = { ...came, rows: frame.rows, read: frame.read ?? frame.rows }
      if (frame.kind === 'problem') came = { ...came, end: 'failed' }
      if (frame.kind === 'end') {
        told = true
        try {
          await record({ ...came, end: frame.cut ? 'cut' : 'whole' })
        } catch (error) {
          return yield { kind: 'problem', problem: consoleProblem(error) }
        }
      }
      yield frame
    }
  } finally {
    if (!told && came.rows > 0) await record(came).catch((error) => auditFailed('an export', error))
  }
}

const FILTER_MAX_CHARS = 500

/** The filter for the audit trail. It is free text, so a card number in it is not stored. */
export const keptFilter = (query: URLSearchParams): string =>
  holdsCardNumber([...query.values()].join('\n')) ? 'text=(not kept)' : query.toString().slice(0, FILTER_MAX_CHARS)
