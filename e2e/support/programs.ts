import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { type Postgres, rememberTables, startPostgres } from './postgres.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'

export type Environment = Readonly<Record<string, string>>

/** Where both programs keep their stores: in their own processes, as out of the box, or on a PostgreSQL server. */
export type Engine = 'embedded' | 'postgres'

/** A busy machine takes a minute to make an embedded store; a program that hangs is ended. */
const READY_WITHIN_MS = 240_000
/** One that does not answer is asked again. */
const ANSWERS_WITHIN_MS = 10_000

const { PATH, NODE_COMPILE_CACHE } = process.env
const INHERITED = { PATH, NODE_COMPILE_CACHE }

/** One program of ours: what it prints is kept, so that it can be searched. */
export class Program {
  readonly #args: readonly string[]
  readonly #how: SpawnOptions
  readonly #environment: Environment
  readonly #readyUrl: string
  #process: ChildProcess | null = null
  printed = ''

  /** `how`: where and as whom it runs; here, as this user, if that is not said. */
  constructor(args: readonly string[], environment: Environment, readyUrl: string, how: SpawnOptions = {}) {
    this.#args = args
    this.#how = how
    this.#environment = environment
    this.#readyUrl = readyUrl
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** `change`: variables that are others this time. `how`: and what else is, as the folder of another build. */
  async start(change: Environment = {}, how: SpawnOptions = {}): Promise<void> {
    const child = spawn(process.execPath, this.#args, {
      ...this.#how,
      ...how,
      env: { ...INHERITED, NODE_ENV: 'production', ...this.#environment, ...change },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (this.printed += data))
    this.#process = child
    if (await this.#isReady(child)) return
    await this.stop('SIGKILL')
    throw new Error(`a program did not become ready:\n${this.printed}`)
  }

  /** Answers the exit code; null when a signal ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#process
    this.#process = null
    if (child === null || hasEnded(child)) return child?.exitCode ?? null
    const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
    child.kill(signal)
    return await ended
  }

  async #isReady(child: ChildProcess): Promise<boolean> {
    const deadline = Date.now() + READY_WITHIN_MS
    while (Date.now() < deadline && !hasEnded(child)) {
      const response = await fetch(this.#readyUrl, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).catch(() => null)
      if (response?.ok) return true
      await wait(50)
    }
    return false
  }
}

/** By itself, or by a signal. */
const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

export interface AnotherConsole {
  readonly url: string
  readonly program: Program
}

/** A sandbox and a console of their own, with a proxy between them that remembers the tokens that pass. */
export interface Programs {
  readonly console: Program
  readonly sandbox: Program
  readonly consoleUrl: string
  /** What the console is given. */
  readonly consoleEnvironment: Environment
  /** The sandbox itself, past the proxy: for its controls. */
  readonly sandboxUrl: string
  readonly proxy: RecordingProxy
  /** Below it lies the folder `console` with an embedded store. */
  readonly folder: string
  /** The server with both stores; null where these are embedded. */
  readonly postgres: Postgres | null
  /** Stops all other consoles, empties the console's store, and puts the sandbox back to its seeded world. */
  startOver(): Promise<void>
  /** One more console process on a port of its own, with the same settings but for a change, which may name its address. */
  startAnotherConsole(change?: (url: string) => Environment): Promise<AnotherConsole>
  /** The same, which is started with the first call of a name, and kept until all are stopped. */
  anotherConsole(name: string, change: (url: string) => Environment): Promise<AnotherConsole>
  stop(): Promise<void>
}

const consoleOn = (port: number, environment: Environment): Program =>
  new Program(
    ['scripts/console.ts', '-p', String(port), '-H', '127.0.0.1'],
    environment,
    `http://127.0.0.1:${port}/api/ready`,
  )

/** Making a store takes far longer than copying one, so one that nobody has used is kept. */
async function makeEmptyStore(program: Program, store: string, empty: string): Promise<void> {
  await program.start()
  await program.stop()
  cpSync(store, empty, { recursive: true })
}

const secret = (): string => randomBytes(32).toString('base64')

/** Without the store, which each console may have elsewhere. */
const consoleSettings = (consoleUrl: string, serviceUrl: string): Environment => ({
  NEXT_TELEMETRY_DISABLED: '1',
  NEXTAUTH_URL: consoleUrl,
  NEXTAUTH_SECRET: secret(),
  SESSION_KEY: `1:${secret()}`,
  AUDIT_KEY: secret(),
  LOG_KEY: secret(),
  CORE_API_URL: serviceUrl,
  OIDC_ISSUER: `${serviceUrl}/idp`,
  OIDC_CLIENT_ID: 'operator-console',
  OIDC_CLIENT_SECRET: 'sandbox-console-secret',
  PASSWORD_SIGN_IN: 'on',
  STAFF_CLAIM: 'groups=console-operators,console-viewers',
  STAFF_ADMIN_CLAIM: 'groups=console-admins',
  STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve',
  CODE_LOCK_AFTER: '5',
  CODE_LOCK_SECONDS: '300',
})

export async function startPrograms(change: Environment = {}, engine: Engine = 'postgres'): Promise<Programs> {
  const [consolePort, sandboxPort] = [await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'console-e2e-'))
  const [proxy, postgres] = await Promise.all([
    startRecordingProxy(sandboxPort),
    engine === 'postgres' ? startPostgres() : null,
  ])
  const consoleUrl = `http://localhost:${consolePort}`
  const sandbox = new Program(
    ['sandbox/main.ts'],
    {
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_DATABASE_URL: postgres?.sandboxUrl ?? `file:${join(folder, 'sandbox')}`,
      // The service's address, its issuer included, is the proxy's: nothing reaches it any other way.
      SANDBOX_URL: proxy.url,
      SANDBOX_CONSOLE_URL: consoleUrl,
    },
    `http://127.0.0.1:${sandboxPort}/health`,
  )
  const consoleEnvironment = {
    ...consoleSettings(consoleUrl, proxy.url),
    DATABASE_URL: postgres?.url ?? `file:${join(folder, 'console')}`,
    ...change,
  }
  const others: Program[] = []
  const kept = new Map<string, AnotherConsole>()
  const consoleProgram = consoleOn(consolePort, consoleEnvironment)
  const stop = async (): Promise<void> => {
    await Promise.all([consoleProgram, sandbox, ...others].map((program) => program.stop()))
    await Promise.all([proxy.stop(), postgres?.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
  await Promise.all([sandbox.start(), consoleProgram.start()]).catch(async (cause: unknown) => {
    await stop()
    throw cause
  })
  const restoreTables = postgres === null ? null : await rememberTables(postgres)
  const emptyFolder = async (): Promise<void> => {
    const [store, empty] = [join(folder, 'console'), join(folder, 'empty')]
    await consoleProgram.stop()
    rmSync(store, { recursive: true, force: true })
    if (existsSync(empty)) {
      cpSync(empty, store, { recursive: true })
      // A copy is open to others, and a console refuses such a folder.
      chmodSync(store, 0o700)
    } else await makeEmptyStore(consoleProgram, store, empty)
    await consoleProgram.start()
  }
  const startAnotherConsole: Programs['startAnotherConsole'] = async (another = () => ({})) => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const program = consoleOn(port, { ...consoleEnvironment, ...another(url) })
    others.push(program)
    await program.start()
    return { url, program }
  }
  return {
    console: consoleProgram,
    sandbox,
    consoleUrl,
    consoleEnvironment,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    proxy,
    folder,
    postgres,
    async startOver() {
      kept.clear()
      await Promise.all(others.splice(0).map((program) => program.stop()))
      const headers = { connection: 'close' }
      const reset = fetch(`http://127.0.0.1:${sandboxPort}/sandbox/reset`, { method: 'POST', headers })
      await Promise.all([restoreTables === null ? emptyFolder() : restoreTables(), reset])
    },
    startAnotherConsole,
    async anotherConsole(name, another) {
      const running = kept.get(name) ?? (await startAnotherConsole(another))
      kept.set(name, running)
      return running
    },
    stop,
  }
}
