import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect } from '@playwright/test'
import { prepareSite } from '../../scripts/nginx-site.ts'
import { nobody } from '../support/nobody.ts'
import { freePort } from '../support/ports.ts'

interface Answer {
  readonly status: number
  /** Which console gave it, the last one where several were asked. */
  readonly port: number
  readonly request: string
}

/** Debian's nginx with the site of this repository, in a folder of its own. */
export interface Balancer {
  readonly url: string
  /** All that it has answered, but for the callback of single sign-on, which is logged nowhere. */
  answers(): readonly Answer[]
  /** Everything that it has written. */
  log(): string
  start(consolePorts: readonly [number, number]): Promise<void>
  stop(): Promise<void>
}

const MODULE = '/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so'
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** As Debian's own, with room for a thousand streams: each holds a connection to the browser's side and one to a console. */
const settingsIn = (folder: string, site: string): string => `
load_module ${MODULE};
worker_processes 2;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  log_format told '$status "$upstream_addr" $request_method $request_uri';
  access_log ${folder}/access.log told;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  include ${site};
}
`

export async function prepareBalancer(): Promise<Balancer> {
  const [port, plainPort] = [await freePort(), await freePort()]
  const url = `https://localhost:${port}`
  let folder = ''
  let end = async (): Promise<void> => {}
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

  function writeSettings(consolePorts: readonly [number, number]): string {
    const site = prepareSite(folder, (text) =>
      text
        .replaceAll(/^ *listen \[::\].*$/gm, '')
        .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        // All people of a test come from one address.
        .replaceAll(/rate=\d+r\/s/g, 'rate=10000r/s')
        .replaceAll(/limit_conn console_connections \d+/g, 'limit_conn console_connections 4000')
        .replace('127.0.0.1:3001', `127.0.0.1:${consolePorts[0]}`)
        .replace('127.0.0.1:3002', `127.0.0.1:${consolePorts[1]}`),
    )
    const settings = join(folder, 'nginx.conf')
    writeFileSync(settings, settingsIn(folder, site))
    return settings
  }

  return {
    url,
    answers: () =>
      [...read('access.log').matchAll(/^(\d{3}) "(?:.*:)?(\d+|-)" (.*)$/gm)].map(([, status, upstream, request]) => ({
        status: Number(status),
        port: Number(upstream),
        request: request ?? '',
      })),
    log: () => read('access.log') + read('error.log'),
    async start(consolePorts) {
      folder = mkdtempSync(join(tmpdir(), 'console-nginx-'))
      const settings = writeSettings(consolePorts)
      const { uid, gid } = nobody()
      for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
        if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
      setDefaultCACertificates([...getCACertificates(), read('fullchain.pem')])
      const nginx = spawn('/usr/sbin/nginx', ['-c', settings, '-e', join(folder, 'error.log')], {
        ...nobody(),
        stdio: 'ignore',
      })
      const ended = new Promise((done) => nginx.once('exit', done))
      end = async () => {
        nginx.kill('SIGTERM')
        await ended
      }
      await expect.poll(() => fetch(`${url}/api/ready`).then(({ status }) => status, String)).toBe(200)
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
