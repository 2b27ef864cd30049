import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import pg from 'pg'

type Row = Readonly<Record<string, unknown>>

/** A PostgreSQL server with two databases, both empty. */
export interface Postgres {
  /** For the console. */
  readonly url: string
  readonly sandboxUrl: string
  /** In the console's. A restart and a query wait for one another: it is the programs that the restart is for. */
  query(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** The console's database through PgBouncer in transaction mode, which is started with the first call. */
  pooled(): Promise<string>
  restart(program: 'postgres' | 'pgbouncer'): Promise<void>
  stop(): Promise<void>
}

/** The server is a program like the others: started here, never imported. It ends with this process, too. */
export async function startPostgres(): Promise<Postgres> {
  const child = spawn(process.execPath, ['lib/testing/serve-postgres.ts'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise((done) => child.once('exit', done))
  let complaint = ''
  child.stderr.on('data', (data: Buffer) => {
    complaint += data
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`PostgreSQL has ended: ${complaint}`)
    return value
  }
  const ask = (order: string): Promise<string> => {
    child.stdin.write(`${order}\n`)
    return nextLine()
  }
  const [url = '', sandboxUrl = ''] = (await nextLine()).split(' ')
  const queries = new Set<Promise<unknown>>()
  let restarted: Promise<unknown> = Promise.resolve()
  async function query(statement: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Row>(statement, [...values])).rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    sandboxUrl,
    async query(statement, values = []) {
      await restarted
      const answer = query(statement, values)
      queries.add(answer)
      return answer.finally(() => queries.delete(answer))
    },
    pooled: () => ask('pgbouncer'),
    async restart(program) {
      restarted = Promise.allSettled(queries).then(() => ask(`restart ${program}`))
      await restarted
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

const DEADLOCK = '40P01'

/** Answers how to put all tables back to what they hold now, while programs use them. */
export async function rememberTables(postgres: Postgres): Promise<() => Promise<void>> {
  const rows = await postgres.query(`SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`)
  const tables = rows.map(({ name }) => String(name))
  const copies = tables.map((name) => `CREATE TABLE remembered.${name} AS TABLE public.${name};`)
  await postgres.query(`CREATE SCHEMA remembered; ${copies.join('')}`)
  const fill = tables.map(
    (name) => `INSERT INTO public.${name} OVERRIDING SYSTEM VALUE SELECT * FROM remembered.${name};`,
  )
  // As a replica, for which neither triggers nor foreign keys count. New entries of the signed log would outlive its head.
  const restore = `BEGIN; SET LOCAL session_replication_role = replica; SELECT FROM log_head FOR UPDATE;
    ${tables.map((name) => `DELETE FROM public.${name};`).join('')} ${fill.join('')} COMMIT;`
  return async function restoreTables(): Promise<void> {
    try {
      await postgres.query(restore)
    } catch (error) {
      // What the programs do at this moment may lock the same tables in another order.
      if (!(error instanceof pg.DatabaseError && error.code === DEADLOCK)) throw error
      await restoreTables()
    }
  }
}
