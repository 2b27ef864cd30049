import type { Kysely } from 'kysely'
import { open } from '#lib/database/open.ts'
import { newTestDatabase, startTestPostgres } from '#lib/database/test-postgres.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { RoleName } from '#sandbox/identity/roles.ts'
import { manyUsers } from '#sandbox/seed/many-users.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import type { Tables as SandboxTables } from '#sandbox/world/tables.ts'
import { type FaultyLine, startFaultyLine } from '../e2e/faults/faulty-line.ts'
import { type ConsoleProcess, secret, startConsole } from './console-process.ts'
import { LoadLog } from './load-log.ts'

/** Shorter than a run of a few minutes, so that the tokens of every session are renewed while the service fails. */
const TOKEN_SECONDS = 240

/** Two consoles on one PostgreSQL before one sandbox, which keeps its world there as well. */
export interface LoadWorld {
  readonly serviceUrl: string
  readonly consoles: readonly ConsoleProcess[]
  /** Between the consoles and the service: counts how often each deposit's confirmation was sent. */
  readonly line: FaultyLine
  readonly log: LoadLog
  readonly store: Kysely<Tables>
  readonly sandboxStore: Kysely<SandboxTables>
  readonly auditKey: Buffer
  stop(): Promise<void>
}

export async function startLoadWorld(consoles: number): Promise<LoadWorld> {
  const server = await startTestPostgres()
  const [storeUrl, sandboxUrl] = [await newTestDatabase(server.url), await newTestDatabase(server.url)]
  const sandbox = await startProcess({
    SANDBOX_SEED: 'large',
    SANDBOX_DATABASE_URL: sandboxUrl,
    SANDBOX_ACCESS_TOKEN_SECONDS: String(TOKEN_SECONDS),
  })
  const line = await startFaultyLine(sandbox.url, async () => {})
  const log = new LoadLog()
  const auditKey = secret()
  const shared = { NEXTAUTH_SECRET: secret(), SESSION_KEY: `1:${secret()}`, AUDIT_KEY: auditKey }
  const running: ConsoleProcess[] = []
  for (let n = 0; n < consoles; n += 1) {
    running.push(await startConsole(line.url, storeUrl, { also: shared, printed: (text) => log.take(text) }))
  }
  const [own, service] = [await open<Tables>(storeUrl), await open<SandboxTables>(sandboxUrl)]
  return {
    serviceUrl: sandbox.url,
    consoles: running,
    line,
    log,
    store: own.db,
    sandboxStore: service.db,
    auditKey: Buffer.from(auditKey, 'base64'),
    async stop() {
      await Promise.all([own.close(), service.close()])
      await Promise.all(running.map((one) => one.end()))
      await line.stop()
      await sandbox.end('SIGTERM')
      await server.stop()
    },
  }
}

export interface Staff {
  readonly email: string
  readonly role: RoleName
}

/** The seed has five people on the staff, and a person five sessions: so wallet holders of the large seed become staff. */
export async function hire(db: Kysely<SandboxTables>, count: number): Promise<readonly Staff[]> {
  const staff = manyUsers.slice(-count).map(({ ending, username }, at) => {
    const role: RoleName = at % 2 === 0 ? 'SUPPORT' : 'DISPUTE_ADMIN'
    return { id: userIdEndingIn(ending), email: `${username}@example.com`, role }
  })
  for (const role of ['SUPPORT', 'DISPUTE_ADMIN'] as const) {
    const ids = staff.filter((one) => one.role === role).map(({ id }) => id)
    await db.updateTable('app_user').set({ roles: role }).where('id', 'in', ids).execute()
  }
  return staff
}
