import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, KyselyPlugin } from 'kysely'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import type { Opened } from '#lib/database/open.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'

/** `before`: it is not done. `after`: it is done and its answer is lost. `out`: nor is any further one, for a while. */
export type Failure = 'before' | 'after' | 'out'

interface Life {
  readonly failAt: number
  readonly failure: Failure
  statements: number
  outUntil: number
}

const OUT_MS = 250

/**
 * Lets one statement of what runs in {@link live} fail: queries, and the begin and the end of transactions. Other work of
 * the process finds the store in order.
 */
export class FailingStore {
  readonly #lives = new AsyncLocalStorage<Life>()

  /** `remove` gives the process its store back. */
  static async install(): Promise<{ readonly failing: FailingStore; remove(): void }> {
    await store()
    const whole = peekPerProcess<Promise<Opened<Tables>>>('store')
    const opened = await whole
    if (whole === undefined || opened === undefined) throw new Error('there is no store')
    const failing = new FailingStore()
    putPerProcess('store', Promise.resolve({ ...opened, db: failing.#wrap(opened.db) }))
    return {
      failing,
      remove() {
        putPerProcess('store', whole)
      },
    }
  }

  /** Runs work whose `failAt`th statement fails; answers whether it had as many. */
  async live(failAt: number, failure: Failure, work: () => Promise<unknown>): Promise<boolean> {
    const life: Life = { failAt, failure, statements: 0, outUntil: 0 }
    const wrong = await this.#lives.run(life, work).then(
      () => null,
      (error: unknown) => error,
    )
    const failed = life.statements >= failAt
    if (!failed && wrong !== null) throw wrong
    return failed
  }

  #wrap(db: Kysely<Tables>): Kysely<Tables> {
    const whole = db.withPlugin(this.#plugin)
    const transaction = () => ({
      execute: async (work: Parameters<ReturnType<Kysely<Tables>['transaction']>['execute']>[0]) => {
        this.#begins('begin')
        const done = await whole.transaction().execute(async (trx) => {
          const result = await work(trx)
          // A commit that fails leaves nothing behind.
          this.#begins('commit')
          return result
        })
        this.#ends('commit')
        return done
      },
    })
    return new Proxy(whole, {
      get: (target, name) => {
        if (name === 'transaction') return transaction
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  readonly #plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      this.#begins('statement')
      return node
    },
    transformResult: async ({ result }) => {
      this.#ends('statement')
      return result
    },
  }

  #begins(statement: string): void {
    const life = this.#lives.getStore()
    if (life === undefined) return
    if (Date.now() < life.outUntil) throw lost(statement)
    life.statements += 1
    if (life.statements !== life.failAt || life.failure === 'after') return
    if (life.failure === 'out') life.outUntil = Date.now() + OUT_MS
    throw lost(statement)
  }

  #ends(statement: string): void {
    const life = this.#lives.getStore()
    if (life?.failure !== 'after' || life.statements !== life.failAt) return
    // Once: what comes after finds the store in order.
    life.statements += 1
    throw lost(statement)
  }
}

const lost = (statement: string): DatabaseError => new DatabaseError('ECONNRESET', statement)
