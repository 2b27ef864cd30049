import 'server-only'
import type { CommandView } from '#lib/commands/command.ts'
import { findOpenOrRecent } from '#lib/commands/queries.ts'
import { paramsOf } from '#lib/commands/row.ts'
import { viewOf } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type ThreadPage, type ThreadService, threadService } from '#lib/disputes/dispute-service.ts'
import type { CaseEvent, CaseSnapshot } from '#lib/disputes/live/case-stream.ts'
import { recordThread } from '#lib/disputes/unread/thread-table.ts'
import type { Result } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { type KeptText, messagePlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { isAmongParagraphs, mergeMessages, messageKey, type ThreadCase, type ThreadMessage } from './thread.ts'

/** Merges REST reads and hub events in any order, because pages shift while people post. REST wins. */
export class CaseThread {
  /** ISO 8601, before the case was read. */
  readAt = ''
  #case: ThreadCase | null = null
  #readOnly = false
  #messages: readonly ThreadMessage[] = []
  #totalCount: number | null = null
  #unreadable = 0
  /** Messages from REST. A message from the hub alone does not count towards {@link complete}. */
  readonly #confirmed = new Set<string>()

  get case(): ThreadCase | null {
    return this.#case
  }

  get readOnly(): boolean {
    return this.#readOnly
  }

  get messages(): readonly ThreadMessage[] {
    return this.#messages
  }

  /** Of the messages that the service counts. */
  get missing(): number {
    return Math.max(0, (this.#totalCount ?? 0) - this.#confirmed.size)
  }

  get complete(): boolean {
    return this.#totalCount !== null && this.#confirmed.size + this.#unreadable >= this.#totalCount
  }

  readCase(found: ThreadCase, readAt: string): boolean {
    // The read began before the case was resolved.
    if (this.#readOnly && found.status !== 'RESOLVED') return false
    this.readAt = readAt
    return this.#setCase(found)
  }

  /** From the hub. Returns whether it is new. */
  resolve(resolved: ThreadCase): boolean {
    if (this.#readOnly) return false
    this.#setCase(resolved)
    this.readAt = new Date().toISOString()
    this.#readOnly = true
    return true
  }

  #setCase(next: ThreadCase): boolean {
    const different = JSON.stringify(next) !== JSON.stringify(this.#case)
    this.#case = next
    this.#readOnly ||= next.status === 'RESOLVED'
    return different
  }

  readMessages(found: readonly ThreadMessage[], totalCount: number): readonly ThreadMessage[] {
    this.#totalCount = totalCount
    const known = new Map(this.#messages.map((message) => [messageKey(message), JSON.stringify(message)]))
    for (const message of found) this.#confirmed.add(messageKey(message))
    return this.#merge(found.filter((message) => known.get(messageKey(message)) !== JSON.stringify(message)))
  }

  countUnreadable(unreadable: number): void {
    this.#unreadable = unreadable
  }

  post(message: ThreadMessage): readonly ThreadMessage[] {
    const known = this.#messages.some((other) => messageKey(other) === messageKey(message))
    return this.#merge(known ? [] : [message])
  }

  #merge(news: readonly ThreadMessage[]): readonly ThreadMessage[] {
    this.#messages = mergeMessages(this.#messages, news)
    return news
  }
}

/** Pages shift, so a pass may miss a message. */
const PASSES_MAX = 3

interface Reading {
  readonly service: ThreadService
  readonly caseId: string
  readonly thread: CaseThread
  readonly signal?: AbortSignal
  onEvent(event: CaseEvent): void
}

/** Returns the problem of a failed read, or null. `thread.complete` may still be false. */
export async function readThread(reading: Reading): Promise<Problem | null> {
  const { service, caseId, thread, onEvent, signal } = reading
  const readAt = new Date().toISOString()
  const [found, first] = await Promise.all([service.readCase(caseId, signal), service.readPage(caseId, 1, signal)])
  if (!found.ok) return found.problem
  if (thread.readCase(found.value, readAt)) onEvent({ type: 'case', case: found.value, readOnly: thread.readOnly })
  return await readMessages(reading, first)
}

export async function readMessages(reading: Reading, first?: Result<ThreadPage>): Promise<Problem | null> {
  const { service, caseId, thread, signal } = reading
  // They may be readable by now.
  thread.countUnreadable(0)
  let problem = await readPages(reading, first ?? (await service.readPage(caseId, 1, signal)))
  for (let pass = 2; pass <= PASSES_MAX && problem === null && !thread.complete; pass += 1) {
    problem = await readPages(reading, await service.readPage(caseId, 1, signal))
  }
  return problem
}

async function readPages(reading: Reading, first: Result<ThreadPage>): Promise<Problem | null> {
  const { service, caseId, thread, onEvent, signal } = reading
  const totals = new Set<number>()
  let rows = 0
  let unreadable = 0
  for (let page = 1, result = first; ; page += 1, result = await service.readPage(caseId, page, signal)) {
    if (!result.ok) return result.problem
    const { messages, unreadable: bad, totalCount } = result.value
    const news = thread.readMessages(messages, totalCount)
    if (news.length > 0) onEvent({ type: 'messages', messages: news })
    if (thread.complete) return null
    totals.add(totalCount)
    rows += messages.length + bad
    unreadable += bad
    if (messages.length + bad === 0 || rows >= totalCount) break
  }
  // If pages shifted, a row may have been counted twice.
  if (totals.size === 1) thread.countUnreadable(unreadable)
  return null
}

export interface WholeThread extends CaseSnapshot {
  readonly readAt: string
  readonly missing: number
}

/** 404 if not visible to the person. */
export async function readWholeThread(session: Session, caseId: string): Promise<Result<WholeThread>> {
  const thread = new CaseThread()
  const problem = await readThread({ service: threadService(session), caseId, thread, onEvent: () => {} })
  const { case: found, readAt, readOnly, messages, missing } = thread
  if (problem !== null) return { ok: false, problem }
  if (found === null) return { ok: false, problem: problemOf('unreadable') }
  await recordThread(caseId, messages)
  return { ok: true, value: { case: found, readAt, readOnly, messages, missing }, serviceTime: null }
}

const REFUSED_WITHIN_MS = 86_400_000

interface SentMessage {
  readonly command: CommandView
  readonly body: string
  readonly answerBy?: string
}

/** With unsettled messages and those refused in the last day. Read last: a message that settles takes its text. */
export async function readUnsent(session: Session, caseId: string): Promise<{ kept: KeptText; open: SentMessage[] }> {
  const since = new Date(Date.now() - REFUSED_WITHIN_MS).toISOString()
  const wanted = { actor: session.actor, kind: 'dispute.message', target: caseId.toLowerCase(), since }
  const sent = (await findOpenOrRecent(await store(), wanted)).map((row) => ({
    command: { ...viewOf(row), yours: true },
    ...messageOf(paramsOf(row) as Omit<SentMessage, 'command'>),
  }))
  const kept = await readUnsentText(session, messagePlace(caseId))
  const open = sent.filter(({ command: { outcome }, body }, at) => {
    if (outcome.class !== 'refused') return openClasses.has(outcome.class)
    return isAmongParagraphs(kept.text, body) && !sent.slice(at + 1).some((later) => later.body === body)
  })
  return { kept, open }
}

const messageOf = ({ body, answerBy }: Omit<SentMessage, 'command'>) => ({
  body,
  ...(answerBy === undefined ? {} : { answerBy }),
})

const openClasses: ReadonlySet<CommandView['outcome']['class']> = new Set(['sending', 'unknown', 'accepted'])
