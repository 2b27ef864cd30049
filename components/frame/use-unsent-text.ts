'use client'

import { useEffect, useState } from 'react'
import { onSessionBack } from '#components/service/session-events.ts'
import { type KeptText, LEAVING_COOKIE, type TextWrite } from '#lib/session/unsent-text-place.ts'

const SAVE_AFTER_MS = 300
const TRY_AGAIN_MS = 5_000
const LEAVING = ['beforeunload', 'pagehide'] as const

/** This page, as it was loaded. */
const page = crypto.randomUUID()
let writes = 0

/** By place, the writes that were on their way as the page was left; null for one that leaves no text. */
const announced = new Map<string, number | null>()

/** Longer than the next page takes to be asked for. */
const ANNOUNCED_SECONDS = 10

/** Tells the server, with whatever is asked for next, which writes are on their way. */
function announce(): void {
  const value = encodeURIComponent(JSON.stringify([...announced].map(([at, number]) => [at, page, number])))
  const seconds = announced.size === 0 ? 0 : ANNOUNCED_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: a page that is being left has no time for the asynchronous way.
  document.cookie = `${LEAVING_COOKIE}=${value}; path=/; max-age=${seconds}; samesite=strict; secure`
  // Writing may be put off, but a read waits for it: so the cookie goes along when the next page is asked for.
  void document.cookie
}

/** One place's text on its way to the store. The browser keeps it in memory only, until the page is left. */
class TextKeeper {
  readonly #kept: KeptText
  #text: string
  #stored: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: { readonly text: string; readonly number: number; readonly abort: AbortController } | null = null

  constructor(kept: KeptText) {
    this.#kept = kept
    this.#text = kept.text
    this.#stored = kept.text
  }

  get text(): string {
    return this.#text
  }

  /** Takes a new text and saves it when the typing pauses. */
  keep(text: string): void {
    this.#text = text
    this.#saveIn(SAVE_AFTER_MS)
  }

  /** Saves at once what is not saved yet. `leaving`: the page is on its way out, and the next one waits for the text. */
  flush(leaving = false): void {
    clearTimeout(this.#timer)
    if (this.#text === this.#stored) return
    if (this.#saving?.text !== this.#text) void this.#save(this.#text)
    if (!leaving || this.#saving === null) return
    announced.set(this.#kept.place, this.#text === '' ? null : this.#saving.number)
    announce()
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), ms)
  }

  async #save(text: string): Promise<void> {
    // The latest text wins, so an older one that is still on its way is called back.
    this.#saving?.abort.abort()
    writes += 1
    const saving = { text, number: writes, abort: new AbortController() }
    this.#saving = saving
    const write = { page, number: saving.number }
    const status = await put({ ...this.#kept, text, write }, saving.abort.signal)
    if (saving.abort.signal.aborted) return
    this.#saving = null
    if (announced.delete(this.#kept.place)) announce()
    if (status === 200) this.#stored = text
    // An outage passes. A refusal does not: the next text is the next try, or the session that is back.
    else if (status === null || status >= 500) this.#saveIn(TRY_AGAIN_MS)
  }
}

/** The status of the answer; null when there was none. */
async function put(kept: KeptText & { write: TextWrite }, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch('/api/session/drafts', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-console': '1' },
      body: JSON.stringify(kept),
      // It arrives even when the page is being left.
      keepalive: true,
      signal,
    })
    return response.status
  } catch {
    return null
  }
}

/** By owner and place. Filled by events in the browser only: the server renders for everyone. */
const keepers = new Map<string, TextKeeper>()

const keeperFor = ({ owner, place }: KeptText): TextKeeper | undefined => keepers.get(`${owner} ${place}`)

function madeKeeperFor(kept: KeptText): TextKeeper {
  const keeper = keeperFor(kept) ?? new TextKeeper(kept)
  keepers.set(`${kept.owner} ${kept.place}`, keeper)
  return keeper
}

export interface UnsentText {
  /** What stands there at first. */
  readonly initial: string
  /** What stands there by now. */
  readonly current: () => string
  /** Called with every change. */
  readonly keep: (text: string) => void
  /** Saves at once; for when a field is left. */
  readonly flush: () => void
  /** Called when the text was sent: it is not unsent any more. */
  readonly forget: () => void
}

/**
 * Keeps what a person types and has not sent, at the server, for them alone: it survives a reload, the end of the session
 * and signing in again. `stored` is what the server had when it made the page; what was typed since is newer, also when a
 * step back shows the page as it was made then. A component that shows another place needs another `key`.
 */
export function useUnsentText(stored: KeptText): UnsentText {
  const [kept] = useState(stored)
  const [initial] = useState(() => keeperFor(kept)?.text ?? kept.text)
  useEffect(() => {
    const flush = () => keeperFor(kept)?.flush()
    const leave = () => keeperFor(kept)?.flush(true)
    document.addEventListener('visibilitychange', flush)
    const stopHearing = onSessionBack(flush)
    // Before the next page is asked for, so that a reload shows it; some browsers tell of the other alone.
    for (const leaving of LEAVING) window.addEventListener(leaving, leave)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      stopHearing()
      for (const leaving of LEAVING) window.removeEventListener(leaving, leave)
      flush()
    }
  }, [kept])
  return {
    initial,
    current: () => keeperFor(kept)?.text ?? kept.text,
    keep: (text) => madeKeeperFor(kept).keep(text),
    flush: () => keeperFor(kept)?.flush(),
    forget: () => {
      if ((keeperFor(kept)?.text ?? kept.text) === '') return
      madeKeeperFor(kept).keep('')
      madeKeeperFor(kept).flush()
    },
  }
}
