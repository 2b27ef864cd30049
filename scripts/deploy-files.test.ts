import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const NGINX = '/usr/sbin/nginx'
const has = (program: string): boolean => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined

test.runIf(has(NGINX) && has('openssl'))('nginx takes the configuration that is in the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-nginx-'))
  try {
    cpSync('deploy/nginx', folder, { recursive: true })
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        '/CN=localhost',
      ].concat(['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]),
      { stdio: 'ignore' },
    )
    const site = readFileSync(join(folder, 'console.conf'), 'utf8')
      .replaceAll('/etc/ssl/console', folder)
      .replaceAll('/etc/nginx', folder)
      // Another nginx than Debian's may lack the module, which is not what is asked here.
      .replaceAll(/^ *brotli.*$/gm, '')
    writeFileSync(join(folder, 'console.conf'), site)
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/pid; error_log stderr; events {} http { include ${folder}/console.conf; }`,
    )
    const { status, stderr } = spawnSync(NGINX, ['-t', '-c', join(folder, 'nginx.conf')], { encoding: 'utf8' })
    expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('nginx repeats no change, and holds no stream back', () => {
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
