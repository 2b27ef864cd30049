import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '#lib/config/config.ts'
import { onStopAsked } from './shutdown-asked.ts'

export interface Programs {
  readonly environment: Environment
  /** Null when the console uses a service elsewhere. */
  readonly sandboxPort: number | null
  readonly consolePort: number
  readonly consoleHost: string
  readonly consoleUrl: string
  readonly dev: boolean
  /** A file descriptor, or this process's. */
  readonly output: number | 'inherit'
  readonly onReady: () => void
}

const READY_WITHIN_MS = 120_000
/** More than the console's limits: 60 s for load balancers, 40 s for requests, 65 s for changes, 12 s to close. */
const CONSOLE_STOPS_WITHIN_MS = 180_000
const SANDBOX_STOPS_WITHIN_MS = 15_000
const ASK_EVERY_MS = 100

interface Program {
  readonly name: string
  readonly process: ChildProcess
  readonly stopsWithinMs: number
  readonly ended: Promise<void>
}

export async function runPrograms(programs: Programs): Promise<void> {
  const running: Program[] = []
  let stopping = false

  /** The console stops first, so that the sandbox can still answer its changes. */
  async function stop(code: number): Promise<never> {
    stopping = true
    for (const { process: child, ended, stopsWithinMs } of running.toReversed()) {
      child.kill('SIGTERM')
      await Promise.race([ended, wait(stopsWithinMs)])
      child.kill('SIGKILL')
    }
    process.exit(code)
  }
  onStopAsked(() => {
    if (stopping) for (const { process: child } of running) child.kill('SIGKILL')
    else void stop(0)
  })

  function startProgram(program: Program): void {
    running.push(program)
    void program.ended.then(() => {
      if (stopping) return
      process.stderr.write(`The ${program.name} has stopped, so everything stops.\n`)
      void stop(1)
    })
  }

  const { environment, sandboxPort, consolePort, consoleHost, consoleUrl, dev, output } = programs
  if (sandboxPort !== null) {
    const own = { ...environment, SANDBOX_CONSOLE_URL: consoleUrl }
    startProgram(launch('sandbox', ['sandbox/main.ts'], { environment: own, output }, SANDBOX_STOPS_WITHIN_MS))
  }
  const args = ['scripts/console.ts', '-p', String(consolePort), '-H', consoleHost, ...(dev ? ['--dev'] : [])]
  const own = { ...environment, NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' }
  startProgram(launch('console', args, { environment: own, output }, CONSOLE_STOPS_WITHIN_MS))

  if (sandboxPort !== null) await answers(`http://127.0.0.1:${sandboxPort}/health`)
  const ready = await answers(`http://127.0.0.1:${consolePort}/api/ready`)
  if (ready && !stopping) programs.onReady()
  if (!ready && !stopping) {
    process.stderr.write('The console did not become ready.\n')
    await stop(1)
  }
}

function launch(
  name: string,
  args: readonly string[],
  { environment, output }: Pick<Programs, 'environment' | 'output'>,
  stopsWithinMs: number,
): Program {
  // The program notices when this process is killed, because the channel closes.
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', output, 'inherit', 'ipc'],
    env: environment as NodeJS.ProcessEnv,
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  return { name, process: child, stopsWithinMs, ended }
}

async function answers(url: string): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(READY_WITHIN_MS) }).catch(() => null)
    if (response?.ok) return true
    await wait(ASK_EVERY_MS)
  }
  return false
}
