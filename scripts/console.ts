import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import next from 'next'
import { aroundAnswer, type OwnServer, putOwnServer } from '#lib/http/own-server.ts'
import { FOLDER, serveBuiltFiles, styleSheetsIn } from './built-files.ts'
import { requestGate } from './request-gate.ts'

/** A form of 5 MB over a slow line takes its time; handlers have shorter deadlines for what is smaller. */
const REQUEST_WITHIN_MS = 120_000
const HEADERS_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 5_000
const ANSWER_LISTENERS_MAX = 30
const DEV_FOLDER = '.next/dev/static'
/** With a handle, though of no session: without one a visitor is sent to sign-in, which has no style sheets of its own. */
const ANY_PAGE = { headers: { cookie: '__Host-console.sid=none' }, redirect: 'manual' } as const

function argument(name: string, fallback: string): string {
  const at = process.argv.indexOf(name)
  return process.argv[at === -1 ? process.argv.length : at + 1] ?? fallback
}

/**
 * Next takes its configuration as it was built, as its own standalone server does: a package has no more than that.
 * The name of the build goes where the pages' code reads it.
 */
function configureAsBuilt(): void {
  const { config } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'))
  process.env.NEXT_DEPLOYMENT_ID ||= config.deploymentId ?? ''
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({
    ...config,
    deploymentId: process.env.NEXT_DEPLOYMENT_ID,
  })
}

/**
 * The console's program: Next behind a server of our own, whose deadlines, headers and end are ours (ADR 22).
 * `-p PORT -H HOST`; `npm start` runs it, after looking at everything that can be wrong. `--dev` compiles pages as they
 * are asked for, and tells browsers of changes.
 */
async function serve(): Promise<void> {
  // What this process writes, the embedded store above all, is for its owner alone.
  process.umask(0o077)
  const port = Number(argument('-p', '3000'))
  const hostname = argument('-H', '127.0.0.1')
  const dev = process.argv.includes('--dev')
  if (!dev) configureAsBuilt()
  const compresses = process.env.COMPRESS !== 'off'
  // Not the address that it listens on: the framework writes 127.0.0.1 as localhost, and would take a rewrite to itself for one to
  // another server, which it asks over the network, by TLS where a proxy says https.
  const app = next({ dev, hostname: 'localhost', port })
  const handle = app.getRequestHandler()
  const server = createServer({
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    // Nothing here speaks another protocol, but for news of changed files: a request to change it is answered like any other.
    shouldUpgradeCallback: () => dev,
  })
  // Next writes the name of the build behind each address, and a browser keeps a file by its whole address.
  const built = styleSheetsIn(FOLDER).map((address) => `${address}?dpl=${process.env.NEXT_DEPLOYMENT_ID}`)
  const own: OwnServer = {
    server,
    finish: () => app.close(),
    // In development they are there once a page has been asked for, and may change.
    styleSheets: () => (dev ? styleSheetsIn(DEV_FOLDER) : built),
  }
  putOwnServer(own)
  await app.prepare()
  const builtFile = dev ? () => false : serveBuiltFiles()
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // A proxy that compresses wants every part of a page as it is: nothing is asked for in another form.
    if (!compresses) delete request.headers['accept-encoding']
    if (builtFile(request, response)) return
    // An address that is rewritten has the framework wait for the end of the answer a dozen times over.
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
    process.stdout.write(`console: http://${hostname}:${port}\n`)
    if (dev) void fetch(`http://${hostname}:${port}/`, ANY_PAGE).catch(() => {})
  })
}

await serve()
