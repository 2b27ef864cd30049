import { useSyncExternalStore } from 'react'
import { fetchConsole, jsonLines, problemIn, readAnswer } from '#components/service/ask-console.ts'
import { announceSessionOver, onSessionBack } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { ownProperty } from '#lib/values/words.ts'

interface Export {
  readonly state: ExportState
  readonly leaving: AbortController
}

/** By address. Exports continue while other pages of the console are open. */
const exportsByAddress = new Map<string, Export>()
const listeners = new Set<() => void>()
let hearing = false

function put(address: string, entry: Export | null): void {
  if (entry === null) exportsByAddress.delete(address)
  else exportsByAddress.set(address, entry)
  for (const listen of listeners) listen()
}

/** Restarts exports that the end of the session interrupted. */
function goOn(): void {
  for (const [address, { state }] of exportsByAddress) {
    if (state.step === 'failed' && state.problem.kind === 'session-over') start(address)
  }
}

export function start(address: string): void {
  if (!hearing) onSessionBack(goOn)
  hearing = true
  const leaving = new AbortController()
  put(address, { state: { step: 'running', read: 0, total: null }, leaving })
  void receiveExport(address, leaving.signal, (state) => {
    // A newer export may have replaced this one.
    if (exportsByAddress.get(address)?.leaving === leaving) put(address, { state, leaving })
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export interface RunningExport {
  /** Null before the first export and after dismissal. */
  readonly state: ExportState | null
  start(): void
  cancel(): void
  dismiss(): void
}

export function useExport(address: string): RunningExport {
  const state = useSyncExternalStore(
    subscribe,
    () => exportsByAddress.get(address)?.state ?? null,
    () => null,
  )
  return {
    state,
    start: () => start(address),
    cancel: () => exportsByAddress.get(address)?.leaving.abort(),
    dismiss: () => put(address, null),
  }
}

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
async function receiveExport(
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
