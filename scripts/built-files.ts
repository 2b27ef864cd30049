import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

export const FOLDER = '.next/static'
const ADDRESS = '/_next/static/'

/** Fonts are already compressed. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** In order of preference. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const [brotlied, gzipped] = [promisify(brotliCompress), promisify(gzip)]

const builtFiles = (folder: string): readonly string[] =>
  globSync('**/*', { cwd: folder }).filter((name) => Object.hasOwn(TYPES, extname(name)))

/** Every page has all style sheets: the outermost layout imports them. */
export const styleSheetsIn = (folder: string): readonly string[] =>
  globSync('**/*.css', { cwd: folder })
    .sort()
    .map((name) => ADDRESS + encodeURI(name.replaceAll('\\', '/')))

/** Runs once per build, so it uses the best compression. */
export async function compressBuiltFiles(folder = FOLDER): Promise<void> {
  for (const name of builtFiles(folder)) {
    const path = join(folder, name)
    const content = await readFile(path)
    await writeFile(
      `${path}.br`,
      await brotlied(content, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    )
    await writeFile(`${path}.gz`, await gzipped(content, { level: zlib.Z_BEST_COMPRESSION }))
  }
}

type Bodies = Readonly<Record<(typeof ENCODINGS)[number][0], Buffer>>

/** Serves compressed files from memory. False for other requests and clients without compression: Next answers. */
export function serveBuiltFiles(folder = FOLDER): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map<string, Bodies>()
  for (const name of builtFiles(folder)) {
    const copies = ENCODINGS.map(([encoding, end]) => [encoding, readFileSync(join(folder, name + end))])
    files.set(ADDRESS + name, Object.fromEntries(copies) as Bodies)
  }
  return ({ method, url = '', headers }, response) => {
    const path = url.replace(/\?.*/, '')
    const bodies = files.get(path)
    if (bodies === undefined || (method !== 'GET' && method !== 'HEAD')) return false
    const taken = encodingsOf(headers['accept-encoding'])
    const [encoding] = ENCODINGS.find(([name]) => taken.has(name)) ?? []
    if (encoding === undefined) return false
    response.writeHead(200, {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': encoding,
      'content-length': bodies[encoding].length,
      'content-type': TYPES[extname(path)] ?? '',
      vary: 'accept-encoding',
    })
    response.end(bodies[encoding])
    return true
  }
}

/** Without refused encodings (`br;q=0`). */
const encodingsOf = (accepted: string | string[] = ''): ReadonlySet<string> =>
  new Set(
    String(accepted)
      .split(',')
      .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
      .map((one) => one.replace(/;.*/, '').trim().toLowerCase()),
  )
