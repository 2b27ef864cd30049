import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres } from '#lib/database/test-postgres.ts'
import type { SeedName } from '#sandbox/seed/seed-name.ts'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import { buildIfStale } from '../scripts/build.ts'
import { Client } from './client.ts'
import { type ConsoleProcess, type StartOptions, startConsole } from './console-process.ts'
import { Operator } from './operator.ts'
import { TimingProxy } from './timing-proxy.ts'

interface ConsoleOptions extends StartOptions {
  readonly store?: string
}

/** What a part starts. All of it ends with the part, the latest first. */
export class Programs extends AsyncDisposableStack {
  newFolder(): string {
    return this.adopt(mkdtempSync(join(tmpdir(), 'bench-')), (path) => rmSync(path, { recursive: true, force: true }))
  }

  newStore(): string {
    return `file:${this.newFolder()}`
  }

  async startPostgres(): Promise<string> {
    return this.adopt(await startTestPostgres(), (server) => server.stop()).url
  }

  async startSandbox(seed: SeedName = 'demo', store = 'memory:'): Promise<string> {
    const environment = { SANDBOX_SEED: seed, SANDBOX_DATABASE_URL: store }
    return this.adopt(await startProcess(environment), (sandbox) => sandbox.end('SIGTERM')).url
  }

  async startProxy(target: string): Promise<TimingProxy> {
    return this.adopt(await TimingProxy.start(target), (proxy) => proxy.stop())
  }

  async startConsole(serviceUrl: string, { store, ...options }: ConsoleOptions = {}): Promise<ConsoleProcess> {
    await buildIfStale()
    const started = await startConsole(serviceUrl, store ?? this.newStore(), options)
    return this.adopt(started, (console) => console.end())
  }

  newClient(url: string): Client {
    return this.adopt(new Client(url), (client) => client.close())
  }

  async signIn(consoleUrl: string, email: string): Promise<Operator> {
    return this.adopt(await Operator.signIn(consoleUrl, email), (operator) => operator.close())
  }
}
