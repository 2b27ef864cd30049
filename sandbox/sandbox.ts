import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { endpoints } from '#lib/contract/endpoints.ts'
import { open } from '#lib/database/open.ts'
import { serveControls } from '#sandbox/controls/controls.ts'
import { DisputeEvents } from '#sandbox/disputes/events.ts'
import { createApp, refuseOtherMethods } from '#sandbox/http/app.ts'
import { Faults, meetFaults } from '#sandbox/http/faults.ts'
import { keepRequestLog, RequestLog } from '#sandbox/http/request-log.ts'
import { Hub } from '#sandbox/hub/hub.ts'
import { serveHub } from '#sandbox/hub/routes.ts'
import { readKeys } from '#sandbox/identity/keys.ts'
import { mountProvider, serveUserinfo } from '#sandbox/identity/mount.ts'
import { createProvider } from '#sandbox/identity/provider.ts'
import { createTokens } from '#sandbox/identity/tokens.ts'
import { TokenUsers } from '#sandbox/identity/users.ts'
import { serveKycWebhook } from '#sandbox/kyc/webhook.ts'
import { workDue } from '#sandbox/ledger/work-due.ts'
import { serveReference } from '#sandbox/reference/routes.ts'
import { serveSecurityControls } from '#sandbox/security/controls.ts'
import type { SeedName } from '#sandbox/seed/seed-name.ts'
import { LedgerClock } from '#sandbox/world/clock.ts'
import { resumeWorld } from '#sandbox/world/reset.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { serveCards } from './cards/routes.ts'
import { serveDisputes } from './disputes/routes.ts'
import { type Gate, routerPath } from './http/serve.ts'
import { serveSecurity } from './security/routes.ts'
import { serveTerminals } from './terminals/routes.ts'
import { serveTransactions } from './transactions/routes.ts'
import { serveUsers } from './users/routes.ts'

export interface SandboxOptions {
  /** `memory:`, `file:FOLDER` or `postgres://…`. */
  readonly databaseUrl: string
  /** A store with another seed is deleted. */
  readonly seed: SeedName
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  readonly consoleUrl: string
  readonly consoleSecret: string
  readonly accessTokenSeconds: number
  /** The KYC partner signs deliveries with it. */
  readonly kycSecret: string
}

export interface Sandbox {
  readonly app: FastifyInstance
  readonly world: World
  readonly port: number
  close(): Promise<void>
}

const WORK_EVERY_MS = 250
const IDLE_CONNECTIONS_MAX = 10

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const opened = await open<Tables>(options.databaseUrl, { poolSize: IDLE_CONNECTIONS_MAX })
  try {
    const world: World = {
      db: opened.db,
      clock: new LedgerClock(),
      seed: options.seed,
      tokenUsers: new TokenUsers(),
      wallMilliseconds: () => Date.now(),
      disputeEvents: new DisputeEvents(),
      baseUrl: options.baseUrl,
    }
    await resumeWorld(world)
    const app = await assemble(world, options)
    await app.listen({ host: options.host, port: options.port })
    const stopWorker = startWorker(world)
    return {
      app,
      world,
      port: (app.server.address() as AddressInfo).port,
      async close() {
        await stopWorker()
        await app.close()
        await opened.close()
      },
    }
  } catch (cause) {
    await opened.close()
    throw cause
  }
}

async function assemble(world: World, options: SandboxOptions): Promise<FastifyInstance> {
  const keys = await readKeys(world.db)
  const provider = createProvider(world, { ...options, keys })
  const tokens = createTokens(world, provider, keys.signing, options.accessTokenSeconds)
  const faults = new Faults()
  const log = new RequestLog()
  const hub = new Hub({ world, tokens }, faults)
  const app = createApp(world)
  keepRequestLog(app, log)
  meetFaults(app, faults)
  serveControls(app, world, { faults, log, hub, tokens })
  serveSecurityControls(app, world)
  serveKycWebhook(app, world, options.kycSecret)
  serveReference(app, world)
  serveInterface(app, { world, tokens })
  serveHub(app, { world, tokens }, hub)
  serveUserinfo(app, world, tokens)
  mountProvider(app, world, provider)
  return app
}

/** Returns a function that stops the worker after the current pass. */
function startWorker(world: World): () => Promise<void> {
  let pass: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    pass = workDue(world)
      .catch((error: Error) => process.stderr.write(`sandbox worker: ${error.stack ?? error.message}\n`))
      .finally(() => {
        busy = false
      })
  }, WORK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await pass
  }
}

function serveInterface(app: FastifyInstance, gate: Gate): void {
  serveUsers(app, gate)
  serveTransactions(app, gate)
  serveTerminals(app, gate)
  serveSecurity(app, gate)
  serveCards(app, gate)
  serveDisputes(app, gate)
  const paths = Object.values(endpoints).flatMap((resource) => Object.values(resource).map(({ path }) => path))
  refuseOtherMethods(app, paths.map(routerPath))
}
