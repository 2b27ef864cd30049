import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { onSessionBack } from '#components/service/session-events.ts'
import { listeners } from '#components/ui/hydrated.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { guardUnload } from './leave-guard.ts'

const TEXTS = '/api/session/drafts'
const SAVE_AFTER_MS = 300
const TRY_AGAIN_MS = 5_000
const ANSWER_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 1_000
const LOOKS_MOST = 30
/** Browsers limit all `keepalive` bodies together to 64 kB. */
const OUTLIVES_MAX_BYTES = 30_000

const CONFIRMED = '&version='

const PASSING = new Set([401, 408, 425, 429])

const page = crypto.randomUUID()
let writes = 0
const ofEarlierPage = (write: string): boolean => !write.includes(page)

/** `waiting`: storing failed and is tried again. `refused`: the store does not accept this text. */
export type Keeping = { readonly step: 'kept' } | { readonly step: 'waiting' | 'refused'; readonly problem: Problem }

const KEPT: Keeping = { step: 'kept' }

export interface TextState {
  readonly keeping: Keeping
  /** The previous page's text. `missing`: not there after 30 seconds. `other`: the operator typed before it came. */
  readonly late: 'none' | 'looking' | 'missing' | 'other'
}

const { listen: onKeeping, tell } = listeners()

export { onKeeping }

/** Filled in the browser only: on the server, operators would share it. */
const keepers = new Map<string, TextKeeper>()

const keyOf = ({ owner, place }: KeptText): string => `unsent ${owner} ${place}`

export function keeperFor(kept: KeptText): TextKeeper {
  const known = keepers.get(keyOf(kept))
  known?.takeLater(kept)
  return known ?? new TextKeeper(kept)
}

/** Session storage has number and version of the last write, without text: the tab's next page asks for it. */
export class TextKeeper {
  #kept: KeptText
  readonly #key: string
  #text: string
  /** Null during a save and when its answer was lost: the store may hold either text. */
  #stored: string | null
  #refused: string | null = null
  /** The latest version that this page has shown. */
  #base: number
  #other: string | null
  #state: TextState
  #show: (text: string) => void = () => {}
  /** The query for a write of the previous page. */
  #awaited: string | null = null
  #letGo: (() => void) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: { readonly text: string; readonly abort: AbortController } | null = null

  constructor(kept: KeptText) {
    this.#kept = kept
    this.#key = keyOf(kept)
    this.#text = kept.text
    this.#stored = kept.text
    this.#base = kept.version
    this.#other = kept.other
    this.#state = { keeping: KEPT, late: kept.other === null ? 'none' : 'other' }
  }

  readonly current = (): string => this.#text

  readonly state = (): TextState => this.#state

  /** Saves after a pause in typing. */
  readonly keep = (text: string): void => {
    this.#text = text
    this.#set({})
    keepers.set(this.#key, this)
    this.#letGo ??= guardUnload({ holds: () => this.#wouldBeLost() })
    this.#saveIn(SAVE_AFTER_MS)
  }

  readonly flush = (): void => {
    clearTimeout(this.#timer)
    if (this.#text === this.#stored) this.#be(KEPT)
    else if (this.#saving?.text !== this.#text && this.#refused !== this.#text) void this.#save(this.#text)
  }

  /** Call when the text was sent. */
  readonly forget = (): void => {
    if (this.#text === '') return
    this.keep('')
    this.flush()
  }

  /** Unlike {@link keep}, also changes the field. */
  readonly replace = (text: string): void => {
    if (text === this.#text) return
    this.#show(text)
    this.keep(text)
    this.flush()
  }

  /** `kept` is what the page was rendered with. Text that is not saved yet stays. */
  takeLater(kept: KeptText): void {
    if (kept.version <= this.#base || this.#text !== this.#stored) return
    // The other page may have replaced it unread.
    if (!kept.text.includes(this.#text)) this.#other = this.#text
    this.#kept = kept
    this.#text = kept.text
    this.#stored = kept.text
    this.#base = kept.version
    this.#other = kept.other ?? this.#other
    this.#state = { keeping: KEPT, late: this.#other === null ? 'none' : 'other' }
  }

  /** `show` replaces the text of the field. Returns how to end. */
  attach(show: (text: string) => void): () => void {
    this.#show = show
    const write = sessionStorage.getItem(this.#key)
    const version = Number(new URLSearchParams(write ?? '').get('version') ?? Number.POSITIVE_INFINITY)
    this.#awaited = write?.includes(page) || version <= this.#base ? null : write
    void this.#lookForLate(LOOKS_MOST)
    return () => {
      this.#awaited = null
      this.flush()
      if (this.#state.keeping.step !== 'refused') return
      this.#letGo?.()
      this.#letGo = null
    }
  }

  readonly lookAgain = (): void => {
    this.#set({ late: 'looking' })
    void this.#lookForLate(1)
  }

  readonly swap = (): void => {
    const other = this.#other ?? ''
    this.#other = this.#text
    this.#show(other)
    this.keep(other)
  }

  /** When offline or after a failure, a save that starts now cannot be relied on. */
  #wouldBeLost(): boolean {
    return this.#text !== this.#stored && (this.#state.keeping.step !== 'kept' || !navigator.onLine)
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.flush, ms)
  }

  #be(keeping: Keeping): void {
    if (keeping.step === 'kept' && this.#text === this.#stored) {
      this.#letGo?.()
      this.#letGo = null
      this.#unmark((write) => write.includes(page) && !write.includes(CONFIRMED))
    }
    this.#set({ keeping })
  }

  #set(change: Partial<TextState>): void {
    const { keeping, late } = { ...this.#state, ...change }
    if (keeping !== this.#state.keeping || late !== this.#state.late) this.#state = { keeping, late }
    tell()
  }

  #unmark(isOver: (write: string) => boolean): void {
    const write = sessionStorage.getItem(this.#key)
    if (write !== null && isOver(write)) sessionStorage.removeItem(this.#key)
  }

  async #save(text: string): Promise<void> {
    this.#saving?.abort.abort()
    const saving = { text, abort: new AbortController() }
    this.#saving = saving
    const before = this.#stored
    this.#stored = null
    writes += 1
    const { owner, place } = this.#kept
    const write = new URLSearchParams({ place, page, number: String(writes) })
    sessionStorage.setItem(this.#key, String(write))
    const request = asJson({ owner, place, text, page, number: writes, base: this.#base, offered: this.#other })
    const silence = setTimeout(() => saving.abort.abort(), ANSWER_WITHIN_MS)
    const keepalive = new Blob([String(request.body)]).size <= OUTLIVES_MAX_BYTES
    const answer = await askConsole(TEXTS, { method: 'PUT', ...request, keepalive, signal: saving.abort.signal })
    clearTimeout(silence)
    if (this.#saving !== saving) return
    this.#saving = null
    if (answer?.status !== 200) {
      const problem = problemIn(answer)
      // A card number also removes the stored text.
      if (problem.status !== null) this.#stored = problem.status === 422 ? '' : before
      return this.#fail(text, problem)
    }
    this.#refused = null
    this.#stored = text
    this.#be(KEPT)
    const { version, other } = answer.body as Pick<KeptText, 'version' | 'other'>
    sessionStorage.setItem(this.#key, `${write}${CONFIRMED}${version}`)
    if (other === null) this.#base = Math.max(this.#base, version)
    else this.#take(other, version)
  }

  #fail(text: string, problem: Problem): void {
    const passes = problem.status === null || problem.status >= 500 || PASSING.has(problem.status)
    this.#refused = passes ? null : text
    this.#be({ step: passes ? 'waiting' : 'refused', problem })
    if (passes && problem.status !== 401) this.#saveIn(TRY_AGAIN_MS)
    if (problem.status !== 401) return
    // This also runs when the field is not mounted.
    const stop = onSessionBack(() => {
      stop()
      this.flush()
    })
  }

  async #lookForLate(times: number): Promise<void> {
    const awaited = this.#awaited
    for (let left = times - 1; awaited !== null && this.#awaited === awaited; left -= 1) {
      const answer = await askConsole(`${TEXTS}?${awaited}`)
      if (this.#awaited !== awaited) return
      const { written = null } = (answer?.status === 200 ? answer.body : {}) as { written?: KeptText | null }
      if (written !== null) return this.#take(written.text, written.version)
      // Only a later write removes a confirmed one.
      if (answer?.status === 200 && awaited.includes(CONFIRMED)) {
        this.#awaited = null
        this.#set({ late: 'none' })
        return this.#unmark(ofEarlierPage)
      }
      this.#set({ late: left === 0 ? 'missing' : 'looking' })
      if (left === 0) return this.#unmark(ofEarlierPage)
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS))
    }
  }

  /** A text of another page goes into the field; if the operator has typed since, it is offered. */
  #take(text: string, version: number): void {
    this.#awaited = null
    this.#unmark(ofEarlierPage)
    if (text === this.#other) return
    const isNew = version > this.#base && text !== this.#text
    this.#base = Math.max(this.#base, version)
    if (isNew && this.#text === this.#kept.text) {
      this.#show(text)
      this.keep(text)
    } else if (isNew && text !== '') {
      this.#other = text
      // The text in the field is newer, also than a save that started before.
      void this.#save(this.#text)
    }
    this.#set({ late: this.#other === null ? 'none' : 'other' })
  }
}
