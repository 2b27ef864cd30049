import { fetchConsole, jsonLines, problemIn, readAnswer } from '#components/service/ask-console.ts'
import { announceSessionOver } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { ownProperty } from '#lib/values/words.ts'

/** Some browsers read the file some time after the click. */
const FILE_KEPT_MS = 60_000

const types: Readonly<Record<string, string>> = { json: 'application/json', html: 'text/html;charset=utf-8' }

export function saveFile(fileName: string, parts: readonly string[]): void {
  const link = document.createElement('a')
  const [, ending = ''] = /\.(\w+)$/.exec(fileName) ?? []
  const type = ownProperty(types, ending) ?? 'text/csv;charset=utf-8'
  link.href = URL.createObjectURL(new Blob([...parts], { type }))
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), FILE_KEPT_MS)
}

export type ExportState =
  | { readonly step: 'running'; readonly read: number; readonly total: number | null }
  | {
      readonly step: 'saved'
      readonly fileName: string
      readonly rows: number
      /** More than `rows` when `filtered`. */
      readonly read: number
      readonly filtered: boolean
      readonly total: number
      readonly unreadable: number
      /** More rows exist than one export may contain. */
      readonly cut: boolean
    }
  | { readonly step: 'cancelled'; readonly rows: number }
  | { readonly step: 'failed'; readonly rows: number; readonly problem: Problem }

/** Failures of the service arrive as frames, so an error means that the console is unreachable. */
const unreachable = problemOf('console-unreachable')

/** Saves the file only after the last frame: an interrupted export leaves no file. */
export async function receiveExport(
  address: string,
  signal: AbortSignal,
  onState: (state: ExportState) => void,
): Promise<void> {
  let [rows, read, total, filtered] = [0, 0, 0, false]
  const parts: string[] = []
  try {
    let fileName = ''
    for await (const frame of framesFrom(address, signal)) {
      if (frame.kind === 'start') {
        fileName = frame.fileName
        parts.push(frame.text)
      } else if (frame.kind === 'rows') {
        parts.push(frame.text)
        rows = frame.rows
        read = frame.read ?? rows
        filtered = frame.read !== undefined
        total = frame.total
        onState({ step: 'running', read, total })
      } else if (frame.kind === 'problem') {
        if (frame.problem.kind === 'session-over') announceSessionOver()
        return onState({ step: 'failed', rows: read, problem: frame.problem })
      } else {
        saveFile(fileName, [...parts, frame.text])
        const { unreadable, cut } = frame
        return onState({ step: 'saved', fileName, rows, read, filtered, total, unreadable, cut })
      }
    }
    onState({ step: 'failed', rows: read, problem: unreachable })
  } catch {
    onState(signal.aborted ? { step: 'cancelled', rows: read } : { step: 'failed', rows: read, problem: unreachable })
  }
}

/** Ends early if the response is interrupted. */
async function* framesFrom(address: string, signal: AbortSignal): AsyncGenerator<ExportFrame, void, undefined> {
  const response = await fetchConsole(address, { signal })
  if (!response.ok || response.body === null) {
    return yield { kind: 'problem', problem: problemIn(await readAnswer(response)) }
  }
  yield* jsonLines<ExportFrame>(response.body)
}
