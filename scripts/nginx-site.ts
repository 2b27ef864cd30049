import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost'

/** Copies `deploy/nginx` with a certificate and the edits of docs/operations.md. Returns the path of the site. */
export function prepareSite(folder: string, change: (site: string) => string): string {
  cpSync('deploy/nginx', folder, { recursive: true })
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const name = ['-addext', 'subjectAltName=DNS:localhost']
  execFileSync('openssl', [...CERTIFICATE.split(' '), ...name, ...files], { stdio: 'ignore' })
  const path = join(folder, 'console.conf')
  const site = readFileSync(path, 'utf8')
    .replaceAll('console.example', 'localhost')
    .replaceAll('/etc/ssl/console', folder)
    .replaceAll('/etc/nginx', folder)
  writeFileSync(path, change(site))
  return path
}
