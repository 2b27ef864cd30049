import { existsSync } from 'node:fs'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { tellFigures } from './figures.ts'

/** By Debian's package: a file of it. */
const NEEDED = {
  nginx: '/usr/sbin/nginx',
  'libnginx-mod-http-brotli-filter': '/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgresql: '/usr/lib/postgresql',
} as const

/** `npm run test:cluster`: two consoles behind nginx, on PostgreSQL behind PgBouncer, while processes end and builds change. */
const missing = Object.entries(NEEDED).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
if (missing.length > 0) {
  process.stderr.write(`This needs packages of Debian that are not here: apt-get install ${missing.join(' ')}\n`)
  process.exitCode = 1
} else {
  ensureBrowser()
  await buildIfStale()
  tellFigures('cluster')
}
