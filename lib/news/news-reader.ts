import 'server-only'
import type { Kysely } from 'kysely'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { onCommit } from '#lib/store/transaction.ts'
import { eraseNews, KEPT_SECONDS, readNews } from './news-table.ts'

const READ_EVERY_MS = 800
const DEADLINE_MS = 15_000
/** Minimum interval after this process's commits. */
const AFTER_COMMIT_MS = 250
/** Well before rows are deleted. */
const BEHIND_MS = (KEPT_SECONDS * 1000) / 2

type Wake = () => void

/**
 * Polls while anything is followed. Wakes every follower at the start, and after a gap in which rows may have been
 * deleted.
 */
export class NewsReader {
  readonly #open: () => Promise<Kysely<Tables>>
  readonly #wakes = new Map<string, Set<Wake>>()
  #from: number | null = null
  #readAt = 0
  #told: ReadonlySet<number> = new Set()
  #reading: Promise<void> | null = null
  #soon: NodeJS.Timeout | null = null
  #stop: (() => void) | null = null

  constructor(open: () => Promise<Kysely<Tables>>) {
    this.#open = open
  }

  /** May wake without a change. Returns a function that stops. */
  follow(keys: readonly string[], wake: Wake): () => void {
    for (const key of keys) {
      const wakes = this.#wakes.get(key) ?? new Set()
      this.#wakes.set(key, wakes.add(wake))
    }
    this.#stop ??= this.#begin()
    return () => {
      for (const key of keys) {
        const wakes = this.#wakes.get(key)
        wakes?.delete(wake)
        if (wakes?.size === 0) this.#wakes.delete(key)
      }
      if (this.#wakes.size === 0) this.#end()
    }
  }

  read(): Promise<void> {
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  #begin(): () => void {
    const onFailure = (error: unknown) =>
      log().warn({ event: 'news', error: error instanceof Error ? error.name : 'unknown' }, 'news could not be read')
    const rounds = runPeriodically(() => this.read(), { everyMs: READ_EVERY_MS, deadlineMs: DEADLINE_MS, onFailure })
    const commits = onCommit(() => this.#readSoon())
    this.#readSoon()
    return () => {
      rounds()
      commits()
    }
  }

  #end(): void {
    this.#stop?.()
    this.#stop = null
    this.#from = null
    if (this.#soon !== null) clearTimeout(this.#soon)
    this.#soon = null
  }

  #readSoon(): void {
    if (this.#soon !== null) return
    const pause = Math.max(0, this.#readAt + AFTER_COMMIT_MS - Date.now())
    this.#soon = setTimeout(() => {
      this.#soon = null
      // That read may miss this commit.
      void (this.#reading ?? Promise.resolve()).then(() => this.read()).catch(() => {})
    }, pause)
    this.#soon.unref()
  }

  async #readOn(): Promise<void> {
    const behind = this.#from === null || Date.now() - this.#readAt > BEHIND_MS
    const { rows, next } = await readNews(await this.#open(), behind ? null : this.#from)
    this.#readAt = Date.now()
    if (this.#stop === null) return
    const news = rows.filter(({ id }) => !this.#told.has(id))
    this.#from = next
    this.#told = new Set(rows.map(({ id }) => id))
    const keys = behind ? [...this.#wakes.keys()] : new Set(news.map(({ key }) => key))
    const woken = new Set([...keys].flatMap((key) => [...(this.#wakes.get(key) ?? [])]))
    for (const wake of woken) wake()
  }
}

export const newsReader = (): NewsReader => perProcess('news', () => new NewsReader(store))

const ERASE_EVERY_MS = 60_000
const erased = () => perProcess('news erased', () => ({ at: 0 }))

export async function eraseOldNews(): Promise<void> {
  if (Date.now() < erased().at + ERASE_EVERY_MS) return
  await eraseNews(await store())
  erased().at = Date.now()
}
