import {
  answerInTime,
  asJson,
  askConsole,
  type ConsoleAnswer,
  fetchConsole,
  problemIn,
  readAnswer,
} from '#components/service/ask-console.ts'
import type { DraftView, Line, StepUpOutcome } from '#lib/commands/command.ts'
import { CHANGES_STOPPED } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { ColumnMapping } from '#lib/statements/file/statement.ts'
import type { FoundReferences, ImportAnswer, LineStatus, LineView } from '#lib/statements/statement-view.ts'

export interface StatementFailure {
  readonly ok: false
  readonly why: string
  /** `unanswered`: the console did not answer or failed, so the request may have had its effect. */
  readonly cause: 'refused' | 'unanswered' | 'session-over'
}

export type StatementReply<Value> = { readonly ok: true; readonly value: Value } | StatementFailure

const UNANSWERED = 'The console did not answer. It is not known whether this was done. Reload the page.'
const UNREAD = 'The console did not answer. Try again.'
const NOT_PREPARED = 'The console did not answer. Nothing was sent. Try again.'

const SESSION_OVER = 'Your session has ended. Sign in again in a new tab, then try again.'

async function ask<Value>(path: string, init: RequestInit, unanswered = UNANSWERED): Promise<StatementReply<Value>> {
  const answer = await askConsole(`/api/deposits/statements${path}`, { signal: answerInTime(), ...init })
  const body = answer?.body as { ok: boolean } | undefined
  return body?.ok ? { ok: true, value: body as Value } : refusalIn(answer, unanswered)
}

function refusalIn(answer: ConsoleAnswer | null, unanswered: string): StatementReply<never> {
  if (answer?.status === 401) return { ok: false, why: SESSION_OVER, cause: 'session-over' }
  const problem = problemIn(answer)
  if (problem.code === CHANGES_STOPPED) return { ok: false, why: `${problemWords(problem).title}.`, cause: 'refused' }
  const cause = answer === null || answer.status >= 500 ? 'unanswered' : 'refused'
  return { ok: false, why: problem.title ?? unanswered, cause }
}

const post = <Value>(path: string, body: unknown): Promise<StatementReply<Value>> =>
  ask(path, { method: 'POST', ...asJson(body) })

interface ImportStep {
  readonly mapping: ColumnMapping | null
  /** The seal of the confirmed preview. Null asks for a preview. */
  readonly seal: string | null
  /** For a file with warnings; may be empty. */
  readonly reason: string
  /** The statement whose columns are mapped again, or null. */
  readonly replaces: string | null
}

export function importFile(
  file: File,
  { mapping, seal, reason, replaces }: ImportStep,
): Promise<StatementReply<{ imported: ImportAnswer }>> {
  const form = new FormData()
  form.set('file', file)
  if (mapping !== null) form.set('mapping', JSON.stringify(mapping))
  if (seal !== null) form.set('seal', seal)
  if (reason !== '') form.set('reason', reason)
  if (replaces !== null) form.set('replaces', replaces)
  return ask('', { method: 'POST', body: form, signal: null }, seal === null ? UNREAD : UNANSWERED)
}

interface ReadFile {
  readonly name: string
  readonly text: string
}

/** `status`: only lines that have it; null: all. */
export const readResults = (id: string, status: LineStatus | null): Promise<StatementReply<ReadFile>> =>
  readFile(`statements/${id}/results${status === null ? '' : `?status=${status}`}`)

export const readReport = (day: string): Promise<StatementReply<ReadFile>> => readFile(`report?day=${day}`)

const readFile = (path: string): Promise<StatementReply<ReadFile>> =>
  download(path, (bytes, headers) => {
    const [, name = 'results.csv'] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
    // The file begins with a UTF-8 byte order mark, which `response.text()` would drop.
    return { name, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
  })

export const readFileAgain = (id: string): Promise<StatementReply<{ readonly bytes: ArrayBuffer }>> =>
  download(`statements/${id}/file`, (bytes) => ({ bytes }))

type ReadBytes<Value> = (bytes: ArrayBuffer, headers: Headers) => Value

async function download<Value>(path: string, read: ReadBytes<Value>): Promise<StatementReply<Value>> {
  try {
    const response = await fetchConsole(`/api/deposits/${path}`)
    if (!response.ok) return refusalIn(await readAnswer(response), UNREAD)
    return { ok: true, value: read(await response.arrayBuffer(), response.headers) }
  } catch {
    return { ok: false, why: UNREAD, cause: 'unanswered' }
  }
}

export const discard = (id: string): Promise<StatementReply<unknown>> => ask(`/${id}`, { method: 'DELETE' })

/** `warnings`: confirmed payments that went back meanwhile. */
export const restore = (id: string): Promise<StatementReply<{ readonly warnings: readonly string[] }>> =>
  ask(`/${id}`, { method: 'POST' })

/** `all` also looks up lines that were looked up before. */
export const startMatching = (id: string, scope: 'unread' | 'all'): Promise<StatementReply<unknown>> =>
  post(`/${id}/work`, { work: 'look', scope })

/** `wanted` is set when a second factor is needed first; then nothing has started. */
export interface Started {
  readonly wanted?: StepUpOutcome
  /** Present when the step-up grant changed. */
  readonly verifiedUntil?: string | null
}

export const startConfirming = (id: string, seal: string, code: string | null): Promise<StatementReply<Started>> =>
  post(`/${id}/work`, { work: 'confirm', seal, ...(code === null ? {} : { code }) })

export const readFoundReferences = (id: string): Promise<StatementReply<{ readonly found: FoundReferences }>> =>
  ask(`/${id}/found-references`, {}, UNREAD)

export const acceptFoundReferences = (id: string, seal: string): Promise<StatementReply<unknown>> =>
  post(`/${id}/found-references`, { seal })

export const stopWork = (id: string, run: number): Promise<StatementReply<unknown>> =>
  ask(`/${id}/work`, { method: 'DELETE', ...asJson({ run }) })

export type LineAct =
  | { readonly act: 'reference' | 'accept'; readonly reference: string }
  | { readonly act: 'bank-reference'; readonly bankReference: string }
  | { readonly act: 'set-aside' | 'put-back'; readonly reason: string }
  | { readonly act: 'look' }

export const changeLine = (id: string, number: number, act: LineAct): Promise<StatementReply<unknown>> =>
  post(`/${id}/lines/${number}`, act)

/** A prepared confirmation of a line with manually entered data. */
export interface LineToConfirm {
  readonly draft: DraftView
  readonly facts: readonly Line[]
  readonly line: LineView
}

export const prepareLine = (id: string, number: number): Promise<StatementReply<LineToConfirm>> =>
  ask(`/${id}/lines/${number}/confirmation`, { method: 'POST', ...asJson({}) }, NOT_PREPARED)
