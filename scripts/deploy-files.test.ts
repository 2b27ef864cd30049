import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#lib/database/test-postgres.ts'
import { prepareSite } from './nginx-site.ts'

const NGINX = '/usr/sbin/nginx'
const has = (program: string): boolean => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined

test.runIf(has(NGINX) && has('openssl'))('nginx takes the configuration that is in the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-nginx-'))
  try {
    // Another nginx than Debian's may lack the module, which is not what is asked here.
    const site = prepareSite(folder, (text) => text.replaceAll(/^ *brotli.*$/gm, ''))
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log stderr; events {} http { include ${site}; }`,
    )
    const { status, stderr } = spawnSync(NGINX, ['-t', '-c', join(folder, 'nginx.conf')], { encoding: 'utf8' })
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** 0 without an answer. */
const statusOf = (port: number, path: string) =>
  new Promise<number>((done) => {
    request({ port, path, rejectUnauthorized: false }, (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
      .once('error', () => done(0))
      .end()
  })

test.runIf(has(NGINX) && has('openssl'))('nginx writes no code of a sign-in into a log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-nginx-'))
  const [port, plain, gone] = [await freePort(), await freePort(), await freePort()]
  const site = prepareSite(folder, (text) =>
    text
      .replaceAll(/^ *(brotli|listen \[::\]).*$/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll(/127\.0\.0\.1:300[12]/g, `127.0.0.1:${gone}`),
  )
  const logs = ['access', 'error'].map((name) => join(folder, `${name}.log`))
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`)
  const http = `http { access_log ${logs[0]}; ${places.join(' ')} include ${site}; }`
  writeFileSync(join(folder, 'nginx.conf'), `daemon off; pid ${folder}/pid; error_log ${logs[1]}; events {} ${http}`)
  const nginx = spawn(NGINX, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const ended = new Promise((done) => nginx.once('exit', done))
  onTestFinished(async () => {
    nginx.kill('SIGQUIT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await expect.poll(() => statusOf(port, '/sign-in')).toBe(502)
  expect(await statusOf(port, '/api/auth/callback/sso?code=canary')).toBe(502)
  const written = logs.map((log) => readFileSync(log, 'utf8'))
  expect(written.map((text) => text.includes('/sign-in'))).toEqual([true, true])
  expect(written.join('')).not.toContain('canary')
})

test('nginx repeats no POST, and holds no stream back', () => {
  const [site, proxy] = ['console.conf', 'console-proxy.conf'].map((name) =>
    readFileSync(join('deploy/nginx', name), 'utf8'),
  )
  expect(proxy).toMatch(/^proxy_next_upstream (?!.*non_idempotent).*;$/m)
  expect(site).toMatch(/location = \/api\/stream \{[^}]*proxy_buffering off;/)
})

test('nginx adds no header: the console sends all of them itself, and a browser gets none twice', () => {
  const site = readFileSync('deploy/nginx/console.conf', 'utf8')
  expect(site).not.toMatch(/add_header/)
})

test('routes a session by a cookie that outlives its handle', () => {
  const site = readFileSync('deploy/nginx/console.conf', 'utf8')
  const pattern = /map \$http_cookie \$console_key \{[^}]*?"~(.*)" \$route;/.exec(site)?.[1] ?? 'none'
  const keyOf = (cookies: string) => new RegExp(pattern).exec(cookies)?.groups?.route
  const route = '6f1c1c0e-8d3b-4b52-9a59-0f6ad7d1f7a5'
  const set = `__Host-console.route=${route}`
  expect(keyOf(`__Host-console.sid=one; ${set}`)).toBe(route)
  expect(keyOf(`${set}; __Host-console.sid=another`)).toBe(route)
  expect(keyOf('__Host-console.sid=one')).toBeUndefined()
})

test('bounds what one address sends to nginx', () => {
  const site = readFileSync('deploy/nginx/console.conf', 'utf8')
  expect(site).toMatch(/server_name console\.example;\s[^}]*limit_req zone=console_requests[^}]*limit_conn /)
  const signIn = /location ~ (\S+) \{[^}]*limit_req zone=console_sign_in/.exec(site)?.[1] ?? 'none'
  const isSignIn = (path: string) => new RegExp(signIn).test(path)
  expect(['/sign-in', '/api/auth/signin/sso', '/api/auth/callback/password'].every(isSignIn)).toBe(true)
  expect(isSignIn('/api/auth/callback/sso')).toBe(false)
})

test('nginx counts an IPv6 client by its network', () => {
  const site = readFileSync('deploy/nginx/console.conf', 'utf8')
  const pattern = /map \$remote_addr \$console_client \{[\s\S]*?"~(.*)" \$network;/.exec(site)?.[1] ?? 'none'
  const keyOf = (address: string) => new RegExp(pattern).exec(address)?.groups?.network
  expect(['2001:db8:1:2::7', '2001:db8:1:2:3:4:5:6'].map(keyOf)).toEqual(['2001:db8:1:2:', '2001:db8:1:2:'])
  expect(['2001:db8::7', '2001:db8::1:2:3:4'].map(keyOf)).toEqual(['2001:db8::', '2001:db8::'])
  expect(['203.0.113.7', '::ffff:203.0.113.7', '::1'].map(keyOf)).toEqual([undefined, undefined, undefined])
  expect(site.match(/\$binary_remote_addr/g)).toHaveLength(1)
})

test('no image has the secrets that git ignores', () => {
  const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n')
  const secrets = linesOf('deploy/.gitignore').map((name) => join('deploy', name).replace(/\/$/, ''))
  expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining(['data', '.env*', ...secrets]))
})

test.runIf(has('openssl'))('the container of the database has no key of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-secrets-'))
  try {
    copyFileSync('deploy/example-secrets.sh', join(folder, 'secrets.sh'))
    const { stdout } = spawnSync('sh', [join(folder, 'secrets.sh')], { encoding: 'utf8' })
    writeFileSync(join(folder, 'console.env'), stdout)
    const compose = readFileSync('deploy/compose.yml', 'utf8')
    const file = /\n {2}postgres:\n(?: {4}.*\n)*? {4}env_file: (\S+)/.exec(compose)?.[1] ?? 'none'
    const names = readFileSync(join(folder, file), 'utf8').match(/^\w+(?==)/gm)
    expect(names).toEqual(['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])
    expect(stdout).toMatch(/^DATABASE_URL=postgres:/m)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('names the metrics port of each process that Prometheus asks', () => {
  const example = readFileSync('deploy/prometheus/prometheus.yml', 'utf8')
  const ports = [...example.matchAll(/- 127\.0\.0\.1:(\d+)/g)].map(([, port]) => port)
  expect(ports).toHaveLength(2)
  expect(example).toContain(`METRICS_PORT=${ports.join(' and ')}`)
})

test('each systemd process can have variables of its own', () => {
  const unit = readFileSync('deploy/systemd/console@.service', 'utf8')
  const files = [...unit.matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file)
  expect(files).toEqual(['/etc/console/console.env', '-/etc/console/console-%i.env'])
  expect(readFileSync('docs/watching.md', 'utf8')).toContain('/etc/console/console-3001.env')
})

test('systemd starts a process again however long its store is out', () => {
  const [unit, service] = readFileSync('deploy/systemd/console@.service', 'utf8').split('[Service]')
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(service).toMatch(/^Restart=always$/m)
})

test('an outage of the store leaves the container healthy', () => {
  const check = /^HEALTHCHECK[\s\S]*?\/api\/(\w+)/m.exec(readFileSync('deploy/Dockerfile', 'utf8'))
  expect(check?.[1]).toBe('health')
})

test('the documents name every variable that is read outside the configuration', () => {
  const settings = /function settingsOf\([\s\S]*?\n\}/.exec(readFileSync('tools/witness.mjs', 'utf8'))?.[0] ?? ''
  const chapter = /### The witness\n[\s\S]*?\n###/.exec(readFileSync('docs/operations.md', 'utf8'))?.[0] ?? ''
  const namesIn = (text: string) => new Set(text.match(/\bWITNESS_[A-Z_]+/g))
  expect(namesIn(settings).size).toBeGreaterThan(5)
  expect([...namesIn(settings).difference(namesIn(chapter))]).toEqual([])
  const list = readFileSync('docs/configuration.md', 'utf8')
  for (const name of ['NODE_EXTRA_CA_CERTS', 'OTEL_EXPORTER_OTLP_HEADERS']) expect(list).toContain(`| \`${name}\` |`)
})
