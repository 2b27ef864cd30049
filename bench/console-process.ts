import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#lib/database/test-postgres.ts'

export interface ConsoleProcess {
  readonly url: string
  readonly pid: number
  end(): Promise<void>
}

export interface StartOptions {
  /** Where the console was built. */
  readonly folder?: string
  /** Further variables. */
  readonly also?: Readonly<Record<string, string>>
}

const secret = (): string => randomBytes(32).toString('base64')

/** Starts the console that was built in a folder, this one unless another is named. */
export async function startConsole(
  serviceUrl: string,
  store: string,
  { folder = process.cwd(), also = {} }: StartOptions = {},
): Promise<ConsoleProcess> {
  // As the service names itself: a proxy before it has another address.
  const discovery = await fetch(`${serviceUrl}/idp/.well-known/openid-configuration`)
  const { issuer } = (await discovery.json()) as { issuer: string }
  const port = await freePort()
  const url = `http://localhost:${port}`
  const args = ['scripts/console.ts', '-p', String(port), '-H', '127.0.0.1']
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    cwd: folder,
    env: {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXTAUTH_URL: url,
      NEXTAUTH_SECRET: secret(),
      SESSION_KEY: `1:${secret()}`,
      AUDIT_KEY: secret(),
      LOG_KEY: secret(),
      CORE_API_URL: serviceUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'operator-console',
      OIDC_CLIENT_SECRET: 'sandbox-console-secret',
      PASSWORD_SIGN_IN: 'on',
      // Wallet holders as well: a thousand streams take more people than the staff has.
      STAFF_SCOPES: 'core:disputes:read',
      DATABASE_URL: store,
      ...also,
    },
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await ready(`http://127.0.0.1:${port}/api/ready`, child)
  return {
    url,
    pid: child.pid ?? 0,
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await wait(100)
  }
  throw new Error('the console did not start')
}
