import { startSandbox } from '#sandbox/sandbox.ts'
import { readSeedName } from '#sandbox/seed/seed-name.ts'

const env = process.env
/** Requests under way are answered; one that was half sent must not keep the process. */
const STOPS_WITHIN_MS = 10_000

// What this process writes is for its owner alone.
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
  process.stdout.write(`sandbox: http://localhost:${sandbox.port}/sandbox\n`)
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
  // Ctrl-C reaches every process of a terminal; the launcher stops this one when the console needs it no more.
  process.on('SIGINT', () => process.connected || stop())
  process.on('SIGTERM', stop)
  // The launcher holds this channel open; when it is gone, however it went, nobody is left to stop us.
  process.on('disconnect', stop)
} catch (error) {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
