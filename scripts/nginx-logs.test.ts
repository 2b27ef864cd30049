import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#lib/database/test-postgres.ts'
import { prepareSite } from './nginx-site.ts'

const NGINX = '/usr/sbin/nginx'
const has = (program: string): boolean => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined

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
