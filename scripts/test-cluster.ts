import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { hasPackages } from './debian-packages.ts'
import { tellFigures } from './test-figures.ts'

const NEEDED = {
  nginx: '/usr/sbin/nginx',
  'libnginx-mod-http-brotli-filter': '/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgresql: '/usr/lib/postgresql',
}

/** `npm run test:cluster`: two consoles behind nginx, on PostgreSQL behind PgBouncer, while processes end and builds change. */
if (hasPackages(NEEDED)) {
  ensureBrowser()
  await buildIfStale()
  tellFigures('cluster')
} else process.exitCode = 1
