import { join } from 'node:path'
import { PGlite, type QueryOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { parseJson } from '#lib/contract/json.ts'
import { DisputeEvents } from '#sandbox/disputes/events.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { TokenUsers } from '#sandbox/identity/users.ts'
import { requireStepUp } from '#sandbox/security/grants.ts'
import { readTransaction, transferToUser } from '#sandbox/transactions/routes.ts'
import { LedgerClock } from '#sandbox/world/clock.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'

const WARM_UP_MS = 3_000
const MEASURED_MS = 3_000

interface Statement {
  readonly sql: string
  readonly parameters: unknown[]
  /** Within a transaction. */
  readonly inside: boolean
}

/** How often a second the embedded engine alone runs what one request makes it run, one after the other. */
export interface EngineRate {
  readonly statements: number
  readonly perSecond: number
}

export interface Call {
  readonly reference: string
  readonly payer: string
  readonly recipient: string
}

/** Notes the statements of one read and one transfer, then gives them to the engine again and again: no HTTP, no JSON, no code of ours. */
export async function measureEngine(store: string, { reference, payer, recipient }: Call) {
  const pglite = await PGlite.create({ dataDir: join(store.slice('file:'.length), 'pgdata') })
  const noted: Statement[] = []
  const world = worldOn(noting(pglite, noted))
  const caller: Caller = { userId: payer, scopes: [], can: { seesAllTransactions: true }, tokenEndsMs: 0 }
  const statementsOf = async (request: () => Promise<unknown>): Promise<readonly Statement[]> => {
    noted.length = 0
    await request()
    return [...noted]
  }
  const read = await statementsOf(() => readTransaction(world, caller, reference))
  const transfer = await statementsOf(async () => {
    await requireStepUp(world, payer, null)
    const body = parseJson(JSON.stringify({ recipientId: recipient, amount: 0.01, note: 'Bench' }))
    await transferToUser(world, caller, body, false)
  })
  const rates = { read: await rateOf(pglite, read), transfer: await rateOf(pglite, transfer) }
  await pglite.close()
  return rates
}

function worldOn(pglite: PGlite): World {
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  return {
    db,
    clock: new LedgerClock(),
    seed: 'large',
    tokenUsers: new TokenUsers(),
    wallMilliseconds: () => Date.now(),
    disputeEvents: new DisputeEvents(),
    baseUrl: '',
  }
}

/** The engine, with every statement noted that goes to it. What a transaction writes is taken back. */
function noting(pglite: PGlite, noted: Statement[]): PGlite {
  const watch = <Target extends Pick<PGlite, 'query'>>(target: Target, inside: boolean): Target =>
    new Proxy(target, {
      get(of, name) {
        if (name === 'query') {
          return (sql: string, parameters: unknown[], options?: QueryOptions) => {
            noted.push({ sql, parameters, inside })
            return of.query(sql, parameters, options)
          }
        }
        if (name === 'transaction' && !inside) {
          return (work: (tx: Pick<PGlite, 'query'>) => Promise<unknown>) =>
            pglite.transaction(async (tx) => {
              await work(watch(tx, true))
              await tx.rollback()
            })
        }
        const value: unknown = Reflect.get(of, name, of)
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
  return watch(pglite, false)
}

async function rateOf(pglite: PGlite, statements: readonly Statement[]): Promise<EngineRate> {
  const inside = statements.filter((one) => one.inside)
  const once = async (): Promise<void> => {
    for (const { sql, parameters } of statements.filter((one) => !one.inside)) await pglite.query(sql, parameters)
    if (inside.length === 0) return
    await pglite.transaction(async (tx) => {
      for (const { sql, parameters } of inside) await tx.query(sql, parameters)
      // The same rows can be written only once; taking them back costs the engine as much as keeping them.
      await tx.rollback()
    })
  }
  const began = performance.now()
  let counted = 0
  for (let now = began; now < began + WARM_UP_MS + MEASURED_MS; now = performance.now()) {
    await once()
    if (now > began + WARM_UP_MS) counted += 1
  }
  // BEGIN and its end are two more.
  return {
    statements: statements.length + (inside.length === 0 ? 0 : 2),
    perSecond: counted / (MEASURED_MS / 1000),
  }
}
