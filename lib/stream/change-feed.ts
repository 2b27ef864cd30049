import 'server-only'
import { type Kysely, sql } from 'kysely'
import { errorName, log } from '#lib/config/log.ts'
import { perProcess, steadyNow } from '#lib/config/per-process.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { databaseNow, onCommit, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'

/** After a longer gap, a process treats everything as changed. */
export const KEPT_SECONDS = 300

/** A transaction with a small id may commit late, so each read starts at `next`: the oldest one still running. */
export async function readChanges(db: Kysely<Tables>, from: number | null) {
  const { rows } = await sql<{ next: number; at: number; id: number | null; key: string | null }>`
    SELECT under_way.first AS next, ${databaseNow} AS at, news.id, news.key
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS first) AS under_way
    LEFT JOIN news ON news.xact >= coalesce(${from}::bigint, under_way.first)
    ORDER BY news.id`.execute(db)
  return {
    rows: rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }])),
    next: rows[0]?.next ?? 0,
    at: rows[0]?.at ?? 0,
  }
}

export async function eraseChanges(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('news').where('at', '<', sql<number>`${databaseNow} - ${KEPT_SECONDS}`).execute()
}

const READ_EVERY_MS = 800
const DEADLINE_MS = 15_000
/** Minimum interval after this process's commits. */
const AFTER_COMMIT_MS = 250
/** Well before rows are deleted, by the same clock. */
const BEHIND_SECONDS = KEPT_SECONDS / 2

type Wake = () => void

/** Reads the changed keys in the table `news` while anything listens. Wakes all at the start and after a gap. */
export class ChangeFeed {
  readonly #open: () => Promise<Kysely<Tables>>
  readonly #wakes = new Map<string, Set<Wake>>()
  #from: number | null = null
  #readAt = 0
  #at = 0
  #seen: ReadonlySet<number> = new Set()
  #reading: Promise<void> | null = null
  #soon: NodeJS.Timeout | null = null
  #stop: (() => void) | null = null

  constructor(open: () => Promise<Kysely<Tables>>) {
    this.#open = open
  }

  /** May wake without a change. Returns a function that stops. */
  listen(keys: readonly string[], wake: Wake): () => void {
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
    this.#reading ??= this.#readNext().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  #begin(): () => void {
    const onFailure = (error: unknown) =>
      log().warn({ event: 'change-feed', error: errorName(error) }, 'changes could not be read')
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
    // The clock may be set back.
    const pause = Math.min(AFTER_COMMIT_MS, Math.max(0, this.#readAt + AFTER_COMMIT_MS - Date.now()))
    this.#soon = setTimeout(() => {
      this.#soon = null
      // That read may miss this commit.
      void (this.#reading ?? Promise.resolve()).then(() => this.read()).catch(() => {})
    }, pause)
    this.#soon.unref()
  }

  async #readNext(): Promise<void> {
    const { rows, next, at } = await readChanges(await this.#open(), this.#from)
    this.#readAt = Date.now()
    if (this.#stop === null) return
    const behind = this.#from === null || at - this.#at > BEHIND_SECONDS
    this.#at = at
    const added = rows.filter(({ id }) => !this.#seen.has(id))
    this.#from = next
    this.#seen = new Set(rows.map(({ id }) => id))
    const keys = behind ? [...this.#wakes.keys()] : new Set(added.map(({ key }) => key))
    const woken = new Set([...keys].flatMap((key) => [...(this.#wakes.get(key) ?? [])]))
    for (const wake of woken) wake()
  }
}

export const changeFeed = (): ChangeFeed => perProcess('change feed', () => new ChangeFeed(store))

const ERASE_EVERY_MS = 60_000
const erased = () => perProcess('changes erased', () => ({ at: 0 }))

export async function eraseOldChanges(): Promise<void> {
  if (steadyNow() < erased().at + ERASE_EVERY_MS) return
  await eraseChanges(await store())
  erased().at = steadyNow()
}
