import { startSandbox } from '#sandbox/sandbox.ts'
import { readSeedName } from '#sandbox/seed/seed-name.ts'

/** An empty variable counts as not set. */
const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
/** Requests in progress are answered, but a half-sent one must not keep the process alive. */
const STOPS_WITHIN_MS = 10_000

// Files that this process writes are readable by the owner only.
process.umask(0o077)
const port = Number(env.SANDBOX_PORT ?? 4010)

try {
  const sandbox = await startSandbox({
    databaseUrl: env.SANDBOX_DATABASE_URL ?? 'file:./data/sandbox',
    seed: readSeedName(env.SANDBOX_SEED),
    host: env.SANDBOX_HOST ?? '127.0.0.1',
    port,
    baseUrl: env.SANDBOX_URL ?? `http://localhost:${port}`,
    consoleUrl: env.SANDBOX_CONSOLE_URL ?? 'http://localhost:3000',
    consoleSecret: env.SANDBOX_CONSOLE_SECRET ?? 'sandbox-console-secret',
    accessTokenSeconds: Number(env.SANDBOX_ACCESS_TOKEN_SECONDS ?? 600),
    kycSecret: env.SANDBOX_KYC_SECRET ?? 'sandbox-kyc-secret',
  })
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOPS_WITHIN_MS).unref()
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  // Ctrl-C and a closed terminal reach every process, but the launcher stops this one after the console.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => process.connected || stop())
  process.on('SIGTERM', stop)
  // The launcher died, so no signal will come.
  process.on('disconnect', stop)
  process.stdout.write(`sandbox: http://localhost:${sandbox.port}/sandbox\n`)
} catch (error) {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
