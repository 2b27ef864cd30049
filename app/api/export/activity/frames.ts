import type { ChangesPage } from '#lib/activity/changes.ts'
import { type FileFormat, fileWriters } from '#lib/activity/changes-file.ts'
import { log } from '#lib/config/log.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { ExportFrame } from '#lib/values/export-frame.ts'

/** Changes on their way into a file; asks for the next part only when the one before was taken. */
export async function* activityFrames(
  parts: AsyncIterable<ChangesPage>,
  format: FileFormat,
  fileName: string,
): AsyncGenerator<ExportFrame, void, undefined> {
  const writer = fileWriters[format]
  let [rows, all] = [0, 0]
  yield { kind: 'start', fileName, text: writer.begin }
  try {
    for await (const { changes, total } of parts) {
      const text = writer.rows(changes, rows === 0)
      rows += changes.length
      all = total
      yield { kind: 'rows', text, rows, total }
    }
  } catch (error) {
    log().error({ event: 'export', error: error instanceof Error ? error.name : 'error' })
    const title = 'The console cannot reach its own store right now'
    return yield { kind: 'problem', problem: problemOf('console', { status: 503, title }) }
  }
  yield { kind: 'end', text: writer.end, rows, unreadable: 0, cut: rows < all }
}
