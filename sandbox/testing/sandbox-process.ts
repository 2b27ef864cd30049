import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#lib/database/test-postgres.ts'

type Environment = Readonly<Record<string, string>>

/** The sandbox as the program that people start, so that it can be killed. */
export interface SandboxProcess {
  readonly url: string
  /** Resolves when it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  send(signal: 'SIGINT' | 'SIGHUP'): void
  endsWithin(ms: number): Promise<boolean>
}

export interface Ended {
  readonly code: number | null
  readonly printed: string
}

/** Starts `sandbox/main.ts` on a port of its own; fails, with what it printed, when it ends instead of listening. */
export async function startProcess(environment: Environment, isLaunched = false): Promise<SandboxProcess> {
  // Its own address is part of what it says of itself, so the port is chosen before.
  const { child, ended } = launch({ SANDBOX_PORT: String(await freePort()), ...environment }, isLaunched)
  let printed = ''
  const port = await new Promise<string>((done, fail) => {
    child.stdout?.on('data', (data: Buffer) => {
      printed += data
      const [, listening] = /http:\/\/localhost:(\d+)\/sandbox/.exec(printed) ?? []
      if (listening !== undefined) done(listening)
    })
    void ended.then((end) => fail(new Error(`the sandbox did not start: ${end.printed}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async end(signal) {
      child.kill(signal)
      await ended
    },
    send: (signal) => void child.kill(signal),
    endsWithin: (ms) => Promise.race([ended.then(() => true), wait(ms, false)]),
  }
}

/** Starts `sandbox/main.ts` where it is to refuse: answers how it ended. */
export const runToItsEnd = (environment: Environment): Promise<Ended> => launch(environment).ended

function launch(
  environment: Environment,
  isLaunched = false,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, ['sandbox/main.ts'], {
    env: { NODE_ENV: 'production', SANDBOX_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(isLaunched ? (['ipc'] as const) : [])],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (printed += data))
  return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, printed }))) }
}
