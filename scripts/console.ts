import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import next from 'next'
import { aroundAnswer, type HttpServer, putHttpServer } from '#lib/http/http-server.ts'
import { FOLDER, serveBuiltFiles, styleSheetsIn } from './built-files.ts'
import { requestGate } from './request-gate.ts'

/** For an upload of 5 MB on a slow line; handlers have shorter deadlines for smaller bodies. */
const REQUEST_WITHIN_MS = 120_000
const HEADERS_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 5_000
const ANSWER_LISTENERS_MAX = 30
const DEV_FOLDER = '.next/dev/static'
/** Without a handle, the console would redirect to sign-in, which has no style sheets of its own. */
const ANY_PAGE = { headers: { cookie: '__Host-console.sid=none' }, redirect: 'manual' } as const

function argument(name: string, fallback: string): string {
  const at = process.argv.indexOf(name)
  return process.argv[at === -1 ? process.argv.length : at + 1] ?? fallback
}

/** A package has no `next.config.mjs`, so Next gets the built configuration. */
function configureAsBuilt(): void {
  const { config } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'))
  process.env.NEXT_DEPLOYMENT_ID ||= config.deploymentId ?? ''
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({
    ...config,
    deploymentId: process.env.NEXT_DEPLOYMENT_ID,
  })
}

/** Runs Next behind the console's HTTP server, which sets deadlines, headers and shutdown (ADR 22). */
async function serve(): Promise<void> {
  // Only the owner may read the files of this process, above all the embedded store.
  process.umask(0o077)
  const port = Number(argument('-p', process.env.PORT || '3000'))
  const hostname = argument('-H', '127.0.0.1')
  const dev = process.argv.includes('--dev')
  if (!dev) configureAsBuilt()
  // The framework's own lines are no lines of the log.
  if (!dev) Object.assign(console, { log: () => {}, info: () => {} })
  const compresses = process.env.COMPRESS !== 'off'
  // Not 127.0.0.1: Next writes it as localhost, and would send its own rewrites over the network.
  const app = next({ dev, hostname: 'localhost', port })
  const handle = app.getRequestHandler()
  const server = createServer({
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    // Only the development server uses WebSockets.
    shouldUpgradeCallback: () => dev,
  })
  // Next appends the build id, and browsers cache by the whole address.
  const built = styleSheetsIn(FOLDER).map((address) => `${address}?dpl=${process.env.NEXT_DEPLOYMENT_ID}`)
  const own: HttpServer = {
    server,
    finish: () => app.close(),
    // In development, files appear after the first page and can change.
    styleSheets: () => (dev ? styleSheetsIn(DEV_FOLDER) : built),
  }
  putHttpServer(own)
  await app.prepare()
  const builtFile = dev ? () => false : serveBuiltFiles()
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // A proxy that compresses needs uncompressed answers.
    if (!compresses) delete request.headers['accept-encoding']
    if (builtFile(request, response)) return
    // For a rewritten address, Next adds a dozen listeners.
    response.setMaxListeners(ANSWER_LISTENERS_MAX)
    handle(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end('Something went wrong.\n')
    })
  }
  const gate = requestGate(server)
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    aroundAnswer()(request, response, () => gate(request, response, () => answer(request, response))),
  )
  if (dev) server.on('upgrade', app.getUpgradeHandler())
  server.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(`console: cannot listen on port ${port}: ${error.code ?? error.message}\n`)
    process.exit(1)
  })
  server.listen(port, hostname, () => {
    if (dev) void fetch(`http://${hostname}:${port}/`, ANY_PAGE).catch(() => {})
  })
}

await serve()
