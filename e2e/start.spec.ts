import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from './support/ports.ts'
import type { Environment } from './support/programs.ts'

const LAUNCHER = [process.execPath, '--conditions=react-server', 'scripts/start.ts'] as const
/** Without what comes before it: everything is installed. */
const NPM = ['npm', 'start', '--ignore-scripts'] as const

/** What `npm start` runs, with an environment of its own. */
class Launch {
  readonly #child: ChildProcess
  printed = ''
  readonly ended: Promise<number | null>

  constructor(environment: Environment, command: readonly [string, ...string[]] = LAUNCHER) {
    const [program, ...args] = command
    // A group of its own, so that a signal can go to all of it, as Ctrl-C does.
    const child = spawn(program, args, {
      detached: true,
      env: { NODE_ENV: 'production', PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        this.printed += data
      })
    }
    this.#child = child
    this.ended = new Promise((done) => child.once('exit', done))
  }

  async ready(): Promise<void> {
    await expect.poll(() => this.printed).toMatch(/^Codes .*\n/m)
  }

  interrupt(): void {
    process.kill(-(this.#child.pid ?? 0), 'SIGINT')
  }

  /** A signal to the one process that was started here, and to none that it has started. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.#child.pid ?? 0, signal)
  }

  /** Processes of the launch that still run. */
  left(): readonly string[] {
    const listed = execFileSync('ps', ['-eo', 'pid,pgid,args'], { encoding: 'utf8' }).split('\n')
    return listed.filter(
      (line) => line.trim().split(/\s+/)[1] === String(this.#child.pid) && !line.includes('<defunct>'),
    )
  }
}

async function expectRefusal(launch: Launch, words: string | RegExp): Promise<void> {
  expect(await launch.ended).toBe(1)
  if (typeof words === 'string') expect(launch.printed).toContain(words)
  else expect(launch.printed).toMatch(words)
}

test('a variable that is missing or wrong is named, and nothing starts', async () => {
  await expectRefusal(new Launch({ CORE_API_URL: 'https://core.example' }), /OIDC_ISSUER is missing/)
  await expectRefusal(new Launch({ PORT: 'http' }), /PORT must be a whole number/)
  await expectRefusal(new Launch({ SESSION_KEY: 'x' }), /SESSION_KEY must be VERSION:BASE64/)
  await expectRefusal(new Launch({ NEXTAUTH_URL: 'http://console.bank.example' }), /NEXTAUTH_URL must be https/)
})

test('refuses a policy file that others can write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-start-'))
  const file = join(folder, 'policy.json')
  writeFileSync(file, '{ "rules": [] }')
  chmodSync(file, 0o664)
  await expectRefusal(new Launch({ POLICY_FILE: file }), /POLICY_FILE names a file that others can write/)
  rmSync(folder, { recursive: true })
})

test('a taken port is named', async () => {
  const server = createServer()
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await expectRefusal(new Launch({ PORT: String(port) }), new RegExp(`Port ${port} is taken`))
  await expectRefusal(
    new Launch({ PORT: String(await freePort()), SANDBOX_PORT: String(port) }),
    new RegExp(`Port ${port} is taken.*SANDBOX_PORT`),
  )
  await new Promise((done) => server.close(done))
})

test.describe('a start of its own', () => {
  let folder: string

  // The first start makes both stores, which takes longest; the others find them as the one before left them.
  test.beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'console-start-'))
  })
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const secrets = {
    NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
    SESSION_KEY: `1:${randomBytes(32).toString('base64')}`,
    AUDIT_KEY: randomBytes(32).toString('base64'),
    LOG_KEY: randomBytes(32).toString('base64'),
  }
  /** Ports, data and secrets of its own, so that the data of whoever runs this is left alone. */
  const environment = async (): Promise<Environment> => ({
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    DATABASE_URL: `file:${join(folder, 'console')}`,
    SANDBOX_DATABASE_URL: `file:${join(folder, 'sandbox')}`,
    ...secrets,
  })

  const logged = () => readFileSync(join(folder, 'console.log'), 'utf8')

  test('says where to go, in folders that are its owner’s alone; a second one is refused; Ctrl-C ends everything', async () => {
    const ports = await environment()
    const first = new Launch(ports)
    await first.ready()
    expect(first.printed.trimEnd().split('\n')).toEqual([
      `Console   http://localhost:${ports.PORT}`,
      `Sandbox   http://localhost:${ports.SANDBOX_PORT}/sandbox`,
      'Accounts  operator@example.com, arbitrator@example.com, admin@example.com, viewer@example.com',
      'Password  Sandbox-Pass-1',
      `Codes     http://localhost:${ports.SANDBOX_PORT}/sandbox/authenticator`,
    ])
    for (const name of ['console', 'sandbox']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'console.log')).mode & 0o777).toBe(0o600)

    await expectRefusal(new Launch(ports), /is taken/)
    const second = new Launch(await environment())
    expect(await second.ended).toBe(1)
    expect(second.printed).toContain('is in use by another process')
    expect(second.left()).toEqual([])

    first.interrupt()
    expect(await first.ended).toBe(0)
    expect(first.left()).toEqual([])
  })

  test('a launcher that is killed takes its programs with it', { tag: '@long' }, async () => {
    const launch = new Launch(await environment())
    await launch.ready()
    launch.signal('SIGKILL')
    await expect.poll(() => launch.left()).toEqual([])
  })

  // npm hands SIGINT to a shell that keeps it until the program has ended; Ctrl-C reaches every process by itself.
  for (const [what, command, signal] of [
    ['the launcher', LAUNCHER, 'SIGTERM'],
    ['the launcher', LAUNCHER, 'SIGINT'],
    ['npm', NPM, 'SIGTERM'],
  ] as const) {
    test(`${signal} to ${what} alone ends everything that it began`, { tag: '@long' }, async () => {
      const launch = new Launch(await environment(), command)
      await launch.ready()
      expect(launch.left().length).toBeGreaterThan(2)
      const before = logged().length
      launch.signal(signal)
      await launch.ended
      await expect.poll(() => launch.left()).toEqual([])
      await expect.poll(() => logged().slice(before)).toContain('"event":"journal-end"')
    })
  }

  test('npm that is killed takes everything with it', { tag: '@long' }, async () => {
    const launch = new Launch(await environment(), NPM)
    await launch.ready()
    launch.signal('SIGKILL')
    await expect.poll(() => launch.left()).toEqual([])
  })

  test('a store in a folder that others may read is refused with what to do', async () => {
    const ports = await environment()
    for (const name of ['console', 'sandbox']) {
      mkdirSync(join(folder, name), { recursive: true })
      chmodSync(join(folder, name), 0o755)
      await expectRefusal(new Launch(ports), `chmod -R go-rwx '${join(folder, name)}'`)
      chmodSync(join(folder, name), 0o700)
    }
  })
})
