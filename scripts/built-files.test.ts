import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compressBuiltFiles, serveBuiltFiles, styleSheetsIn } from './built-files.ts'

const SCRIPT = 'console.log("built");\n'.repeat(200)
const folder = mkdtempSync(join(tmpdir(), 'built-files-'))
let server: Server

beforeAll(async () => {
  mkdirSync(join(folder, 'chunks'))
  writeFileSync(join(folder, 'chunks/a.js'), SCRIPT)
  writeFileSync(join(folder, 'chunks/b[1].css'), 'p { color: red }')
  writeFileSync(join(folder, 'a.css'), 'p { color: red }')
  writeFileSync(join(folder, 'font.woff2'), 'font')
  await compressBuiltFiles(folder)
  const serve = serveBuiltFiles(folder)
  server = createServer((message, response) => {
    if (!serve(message, response)) response.writeHead(404).end('left to Next')
  }).listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly status: number | undefined
  readonly encoding: string | undefined
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
}

const ask = (path: string, accepted: string | null = 'gzip, deflate, br, zstd', method = 'GET'): Promise<Answer> =>
  new Promise((done, fail) => {
    const { port } = server.address() as AddressInfo
    const headers = accepted === null ? {} : { 'accept-encoding': accepted }
    request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { statusCode: status, headers } = response
        done({ status, encoding: headers['content-encoding'], headers, body: Buffer.concat(parts) })
      })
    })
      .once('error', fail)
      .end()
  })

test('a built file comes in the smallest form that the client takes, to be kept for good', async () => {
  const brotli = await ask('/_next/static/chunks/a.js')
  expect([brotli.status, brotli.encoding]).toEqual([200, 'br'])
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT)
  expect(brotli.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(brotli.body.length),
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
  for (const accepted of ['gzip', 'br;q=0, gzip', 'GZIP;q=0.5', 'br; q=0.000, gzip']) {
    const { encoding, body } = await ask('/_next/static/chunks/a.js', accepted)
    expect(encoding, accepted).toBe('gzip')
    expect(gunzipSync(body).toString()).toBe(SCRIPT)
  }
  expect(await ask('/_next/static/chunks/a.js?dpl=1', 'br')).toMatchObject({ status: 200, encoding: 'br' })
  const head = await ask('/_next/static/chunks/a.js', 'br', 'HEAD')
  expect(head.headers['content-length']).toBe(String(brotli.body.length))
  expect(head.body).toHaveLength(0)
})

test('everything else is left to Next', async () => {
  for (const accepted of [null, '', 'identity', 'zstd', 'br;q=0'])
    expect(await ask('/_next/static/chunks/a.js', accepted)).toMatchObject({ status: 404 })
  for (const path of ['/', '/_next/static/chunks/b.js', '/_next/static/font.woff2', '/_next/static/chunks/a.js.br'])
    expect(await ask(path), path).toMatchObject({ status: 404 })
  for (const path of ['/_next/static/chunks/../chunks/a.js', '/_next/static/chunks/%61.js'])
    expect(await ask(path), path).toMatchObject({ status: 404 })
  expect(await ask('/_next/static/chunks/a.js', 'br', 'POST')).toMatchObject({ status: 404 })
})

test('the style sheets of a build are named by their addresses, without their compressed copies', () => {
  expect(styleSheetsIn(folder)).toEqual(['/_next/static/a.css', '/_next/static/chunks/b%5B1%5D.css'])
  expect(styleSheetsIn(join(folder, 'nothing'))).toEqual([])
})
