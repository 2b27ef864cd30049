import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { onSessionBack } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { AnnouncedWrite, Announcement, KeptText } from '#lib/session/unsent-text-place.ts'
import { guardUnload } from './leave-guard.ts'
import { announce } from './leaving-cookie.ts'

const SAVE_AFTER_MS = 300
const TRY_AGAIN_MS = 5_000
const ANSWER_WITHIN_MS = 10_000
/** Browsers limit all `keepalive` bodies together to 64 kB. */
const OUTLIVES_MAX_BYTES = 30_000

const PASSING = new Set([401, 408, 425, 429])

/** Identifies this load of the page. */
export const page = crypto.randomUUID()
let writes = 0

/** By place: writes that were not stored when the operator left. */
const announced = new Map<string, Announcement>()

/** `waiting`: storing failed and is tried again. `refused`: the store does not accept this text. */
export type Keeping = { readonly step: 'kept' } | { readonly step: 'waiting' | 'refused'; readonly problem: Problem }

export const KEPT: Keeping = { step: 'kept' }

const listeners = new Set<() => void>()

export function onKeeping(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Saves the text of one place; until then, only the page's memory holds it. */
export class TextKeeper {
  readonly #owner: string
  readonly #place: string
  #text: string
  /** Null when an answer was lost: the store may hold either text. */
  #stored: string | null
  #refused: string | null = null
  #unseen: { readonly write: AnnouncedWrite; readonly onCame: (text: string) => void } | null = null
  #keeping: Keeping = KEPT
  #letGo: (() => void) | null = null
  #stopHearing: (() => void) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: { readonly text: string; readonly number: number; readonly abort: AbortController } | null = null

  constructor({ owner, place, text }: KeptText) {
    this.#owner = owner
    this.#place = place
    this.#text = text
    this.#stored = text
  }

  get text(): string {
    return this.#text
  }

  get keeping(): Keeping {
    return this.#keeping
  }

  /** Saves after a pause in typing. */
  keep(text: string): void {
    this.#text = text
    this.#letGo ??= guardUnload({ holds: () => this.#wouldBeLost() })
    this.#saveIn(SAVE_AFTER_MS)
  }

  /** Until that text arrives, the server does not let this page overwrite it. `onCame` gets it if it is there. */
  waitFor(write: AnnouncedWrite, onCame: (text: string) => void): void {
    this.#unseen = { write, onCame }
  }

  waitNoMore(): void {
    this.#unseen = null
  }

  /** Saves again after another text has replaced this one in the store. */
  putBack(): void {
    this.#stored = null
    this.flush()
  }

  /** `leaving`: announces the write, so that the next page waits for it. */
  flush(leaving = false): void {
    clearTimeout(this.#timer)
    if (this.#text === this.#stored) {
      if (this.#saving === null) this.#be(KEPT)
      return
    }
    if (this.#saving?.text !== this.#text && this.#refused !== this.#text) void this.#save(this.#text)
    if (!leaving) return
    const number = this.#saving?.number ?? writes
    const failed = this.#keeping.step !== 'kept'
    const write = { page, number: this.#text === '' ? null : number }
    announced.set(this.#place, { owner: this.#owner, place: this.#place, ...write, failed })
    announce(page, [...announced.values()])
  }

  /** When offline or after a failure, a save that starts now cannot be relied on. */
  #wouldBeLost(): boolean {
    return this.#text !== this.#stored && (this.#keeping.step !== 'kept' || !navigator.onLine)
  }

  #goOn(): void {
    this.#stopHearing?.()
    this.#stopHearing = null
    this.flush()
  }

  /** Corrects the announcement when the operator stayed, or a save ended later. */
  #announceAnew(failed: boolean): void {
    const before = announced.get(this.#place)
    if (before === undefined) return
    if (failed) announced.set(this.#place, { ...before, failed })
    else announced.delete(this.#place)
    announce(page, [...announced.values()])
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), ms)
  }

  #be(keeping: Keeping): void {
    this.#keeping = keeping
    if (keeping.step === 'kept' && this.#text === this.#stored) {
      this.#letGo?.()
      this.#letGo = null
    }
    for (const listener of listeners) listener()
  }

  async #save(text: string): Promise<void> {
    this.#saving?.abort.abort()
    writes += 1
    const saving = { text, number: writes, abort: new AbortController() }
    this.#saving = saving
    const write = { page, number: saving.number }
    const unseen = this.#unseen
    // If the previous page wrote no text, there is nothing to overwrite.
    const waited = unseen === null || unseen.write.number === null ? {} : { unseen: unseen.write }
    const kept = { owner: this.#owner, place: this.#place, text, write, ...waited }
    const { problem, came } = await put(kept, saving.abort.signal)
    if (saving.abort.signal.aborted) return
    this.#saving = null
    if (came !== null) return unseen?.onCame(came)
    const passes = problem !== null && (problem.status === null || problem.status >= 500 || PASSING.has(problem.status))
    this.#refused = problem === null || passes ? null : text
    this.#announceAnew(problem !== null)
    if (problem === null) {
      this.#stored = text
      this.#be(KEPT)
      // The text changed and changed back during the save.
      if (this.#text !== text) this.#saveIn(SAVE_AFTER_MS)
      return
    }
    if (problem.status === null) this.#stored = null
    this.#be({ step: passes ? 'waiting' : 'refused', problem })
    if (passes && problem.status !== 401) this.#saveIn(TRY_AGAIN_MS)
    // This also runs when the field is not mounted.
    if (problem.status === 401) this.#stopHearing ??= onSessionBack(() => this.#goOn())
  }
}

interface Put {
  /** Null when stored. */
  readonly problem: Problem | null
  /** The awaited text, if it had arrived; the new text was then not stored. */
  readonly came: string | null
}

async function put(kept: object, signal: AbortSignal): Promise<Put> {
  const request = asJson(kept)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), ANSWER_WITHIN_MS)
  const answer = await askConsole('/api/session/drafts', {
    method: 'PUT',
    ...request,
    keepalive: new Blob([String(request.body)]).size <= OUTLIVES_MAX_BYTES,
    signal: AbortSignal.any([signal, silence.signal]),
  })
  clearTimeout(timer)
  if (answer?.status !== 200) return { problem: problemIn(answer), came: null }
  return { problem: null, came: (answer.body as { readonly came?: string }).came ?? null }
}
