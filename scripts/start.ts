import { chmodSync, chownSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Environment, parseConfig } from '#lib/config/config.ts'
import { withSandboxDefaults } from '#lib/config/sandbox-defaults.ts'
import { assertPrivate, LoosePath } from '#lib/database/private-folder.ts'
import { buildIfStale } from './build.ts'
import { BrokenSecrets, ownSecrets } from './own-secrets.ts'
import { takenPort } from './ports.ts'
import { runPrograms } from './run-programs.ts'

function stop(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const EXAMPLE_POLICY = 'sandbox/policy.json'

/** A clone with umask 002, or of another user than root, has a policy that the console refuses. */
function closeExamplePolicy(environment: Environment): void {
  if (environment.POLICY_FILE !== EXAMPLE_POLICY) return
  const { mode, uid, gid } = statSync(EXAMPLE_POLICY)
  if (uid !== 0 && process.getuid?.() === 0) chownSync(EXAMPLE_POLICY, 0, gid)
  if ((mode & 0o022) !== 0) chmodSync(EXAMPLE_POLICY, mode & 0o755)
}

function checkSandboxPort(port: number, { PORT }: Environment): void {
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535
  if (!isPort) stop('SANDBOX_PORT must be a whole number from 1 to 65535')
  if (port === Number(PORT)) stop('SANDBOX_PORT must differ from PORT')
}

/** Stops when others can access the secrets or a store. */
function withOwnSecrets(environment: Environment): Environment {
  try {
    for (const name of ['DATABASE_URL', 'SANDBOX_DATABASE_URL']) {
      const [, folder] = /^file:(.+)$/.exec(environment[name] ?? '') ?? []
      if (folder !== undefined) assertPrivate(folder)
    }
    return ownSecrets(environment, { makesFile: true })
  } catch (error) {
    if (error instanceof LoosePath || error instanceof BrokenSecrets) stop(error.message)
    throw error
  }
}

/** Checks everything before it builds and starts. `--dev` compiles pages on demand instead. */
async function start(): Promise<void> {
  const dev = process.argv.includes('--dev')
  const { environment, sandbox } = withSandboxDefaults(process.env)
  const sandboxPort = Number(environment.SANDBOX_PORT || 4010)
  if (sandbox) checkSandboxPort(sandboxPort, environment)
  const complete = withOwnSecrets(environment)
  if (sandbox) closeExamplePolicy(complete)
  const parsed = parseConfig(complete)
  if (!parsed.ok) {
    const lines = parsed.faults.map(({ variable, why }) => `  ${variable} ${why}`)
    stop(
      `The console cannot start: its configuration is not valid.\n${lines.join('\n')}\ndocs/configuration.md lists every variable.`,
    )
  }
  const { config } = parsed
  const taken = await takenPort(sandbox ? [config.port, sandboxPort] : [config.port])
  if (taken !== null) {
    const variable = taken === config.port ? 'PORT' : 'SANDBOX_PORT'
    stop(`Port ${taken} is taken. Stop the program that uses it, or set ${variable}.`)
  }
  if (!dev) await buildIfStale()
  // Only the owner may read the programs' files.
  process.umask(0o077)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(config.baseUrl).hostname)
  await runPrograms({
    environment: complete,
    sandboxPort: sandbox ? sandboxPort : null,
    consolePort: config.port,
    consoleHost: local ? '127.0.0.1' : '0.0.0.0',
    consoleUrl: config.baseUrl,
    dev,
    output: sandbox && !dev ? openLogFile(complete) : 'inherit',
    onReady: () => announce(config.baseUrl, sandbox ? `http://localhost:${sandboxPort}/sandbox` : null),
  })
}

const LOG_MAX_BYTES = 10_000_000

/** Beside the embedded store. A deployment logs to standard output instead. */
function openLogFile(environment: Environment): number {
  const [, store = './data/console'] = /^file:(.+)$/.exec(environment.DATABASE_URL ?? '') ?? []
  const folder = dirname(store)
  const file = join(folder, 'console.log')
  try {
    mkdirSync(folder, { recursive: true })
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES) renameSync(file, `${file}.1`)
    return openSync(file, 'a', 0o600)
  } catch (error) {
    stop(`The log ${file} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
}

function announce(consoleUrl: string, sandboxUrl: string | null): void {
  const lines = [`Console   ${consoleUrl}`]
  if (sandboxUrl !== null) {
    lines.push(
      `Sandbox   ${sandboxUrl}`,
      'Accounts  operator@example.com, arbitrator@example.com, admin@example.com, viewer@example.com',
      'Password  Sandbox-Pass-1',
      `Codes     ${sandboxUrl}/authenticator`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

await start()
