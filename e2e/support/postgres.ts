import { spawn } from 'node:child_process'

/** An empty database on a PostgreSQL server of its own. */
export interface Postgres {
  readonly url: string
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
  const url = await new Promise<string>((done, fail) => {
    let printed = ''
    child.stdout.on('data', (data: Buffer) => {
      printed += data
      if (printed.endsWith('\n')) done(printed.trim())
    })
    void ended.then(() => fail(new Error(`PostgreSQL did not start: ${complaint}`)))
  })
  return {
    url,
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
