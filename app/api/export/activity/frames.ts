import type { ActivityPage } from '#lib/activity/activity.ts'
import { type FileFormat, fileWriters } from '#lib/activity/activity-file.ts'
import { consoleProblem } from '#lib/commands/running-sends.ts'
import type { ExportFrame } from '#lib/values/export-frame.ts'

/** Reads the next part only when the previous one was taken. */
export async function* activityFrames(
  parts: AsyncIterable<ActivityPage>,
  format: FileFormat,
  fileName: string,
): AsyncGenerator<ExportFrame, void, undefined> {
  const writer = fileWriters[format]
  let [rows, all] = [0, 0]
  yield { kind: 'start', fileName, text: writer.begin }
  try {
    for await (const { rows: part, total } of parts) {
      const text = writer.rows(part, rows === 0)
      rows += part.length
      all = total
      yield { kind: 'rows', text, rows, total }
    }
  } catch (error) {
    return yield { kind: 'problem', problem: consoleProblem(error) }
  }
  yield { kind: 'end', text: writer.end, rows, unreadable: 0, cut: rows < all }
}
