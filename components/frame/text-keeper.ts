import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { onSessionBack } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { AnnouncedWrite, Announcement, KeptText } from '#lib/session/unsent-text-place.ts'
import { holdPage } from './leave-guard.ts'
import { announce } from './leaving-cookie.ts'

const SAVE_AFTER_MS = 300
const TRY_AGAIN_MS = 5_000
const ANSWER_WITHIN_MS = 10_000
/** Browsers let 64 kB in all outlive their page. */
const OUTLIVES_MAX_BYTES = 30_000

/** Refusals that pass. */
const PASSING = new Set([401, 408, 425, 429])

/** This page, as it was loaded. */
export const page = crypto.randomUUID()
let writes = 0

/** By place, the writes that the store had not taken as the page was left. */
const announced = new Map<string, Announcement>()

/**
 * How a text stands. `kept`: in the store, or on its way there. `waiting`: it could not be stored, and is tried again.
 * `refused`: the store does not take this text.
 */
export type Keeping = { readonly step: 'kept' } | { readonly step: 'waiting' | 'refused'; readonly problem: Problem }

export const KEPT: Keeping = { step: 'kept' }

const listeners = new Set<() => void>()

/** Told when anything about any text changes. Answers how to stop listening. */
export function onKeeping(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** One place's text on its way to the store. The browser keeps it in memory only, until the page is left. */
export class TextKeeper {
  readonly #owner: string
  readonly #place: string
  #text: string
  /** Null when an answer was lost: either text may stand there. */
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

  /** Takes a new text and saves it when the typing pauses. */
  keep(text: string): void {
    this.#text = text
    this.#letGo ??= holdPage({ holds: () => this.#wouldBeLost() })
    this.#saveIn(SAVE_AFTER_MS)
  }

  /**
   * The page before wrote a text that this page waits for: until it is told of, nothing takes its place in the store. `onCame`
   * is told the text when it turns out to be there.
   */
  waitFor(write: AnnouncedWrite, onCame: (text: string) => void): void {
    this.#unseen = { write, onCame }
  }

  waitNoMore(): void {
    this.#unseen = null
  }

  /** The store has another text by now: this one goes there again. */
  putBack(): void {
    this.#stored = null
    this.flush()
  }

  /** Saves at once what is not saved yet. `leaving`: the page is on its way out, and the next one waits for the text. */
  flush(leaving = false): void {
    clearTimeout(this.#timer)
    if (this.#text === this.#stored) {
      if (this.#saving === null) this.#be(KEPT)
      return
    }
    if (this.#saving?.text !== this.#text && this.#refused !== this.#text) void this.#save(this.#text)
    if (!leaving) return
    // One that the store refuses leaves the page without a write of its own.
    const number = this.#saving?.number ?? writes
    const failed = this.#keeping.step !== 'kept'
    const write = { page, number: this.#text === '' ? null : number }
    announced.set(this.#place, { owner: this.#owner, place: this.#place, ...write, failed })
    announce(page, [...announced.values()])
  }

  /** The store has refused it, does not answer, or cannot be reached: then no write that is begun now can be relied on. */
  #wouldBeLost(): boolean {
    return this.#text !== this.#stored && (this.#keeping.step !== 'kept' || !navigator.onLine)
  }

  #goOn(): void {
    this.#stopHearing?.()
    this.#stopHearing = null
    this.flush()
  }

  /** What was announced when the page was about to be left, and was not, or what came of it in the last moment. */
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
    // The latest text wins, so an older one that is still on its way is called back.
    this.#saving?.abort.abort()
    writes += 1
    const saving = { text, number: writes, abort: new AbortController() }
    this.#saving = saving
    const write = { page, number: saving.number }
    const unseen = this.#unseen
    // Where that page leaves no text, there is none to lose.
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
      // It was changed and changed back meanwhile.
      if (this.#text !== text) this.#saveIn(SAVE_AFTER_MS)
      return
    }
    if (problem.status === null) this.#stored = null
    this.#be({ step: passes ? 'waiting' : 'refused', problem })
    if (passes && problem.status !== 401) this.#saveIn(TRY_AGAIN_MS)
    // The session that is back tells of itself, also when the field is not in sight any more.
    if (problem.status === 401) this.#stopHearing ??= onSessionBack(() => this.#goOn())
  }
}

interface Put {
  /** Null when it is stored. */
  readonly problem: Problem | null
  /** The text that the page waits for, where it was there already: then this one is not stored. */
  readonly came: string | null
}

async function put(kept: object, signal: AbortSignal): Promise<Put> {
  const request = asJson(kept)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), ANSWER_WITHIN_MS)
  const answer = await askConsole('/api/session/drafts', {
    method: 'PUT',
    ...request,
    // It arrives even when the page is being left.
    keepalive: new Blob([String(request.body)]).size <= OUTLIVES_MAX_BYTES,
    signal: AbortSignal.any([signal, silence.signal]),
  })
  clearTimeout(timer)
  if (answer?.status !== 200) return { problem: problemIn(answer), came: null }
  return { problem: null, came: (answer.body as { readonly came?: string }).came ?? null }
}
