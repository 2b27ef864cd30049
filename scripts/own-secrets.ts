import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Environment } from '#lib/config/config.ts'
import { assertPrivate } from '#lib/database/private-folder.ts'

const FOLDER = 'data'
const FILE = `${FOLDER}/secrets.json`
const KEY_BYTES = 32

const makers: Readonly<Record<string, () => string>> = {
  NEXTAUTH_SECRET: () => randomBytes(KEY_BYTES).toString('base64'),
  SESSION_KEY: () => `1:${randomBytes(KEY_BYTES).toString('base64')}`,
  AUDIT_KEY: () => randomBytes(KEY_BYTES).toString('base64'),
  LOG_KEY: () => randomBytes(KEY_BYTES).toString('base64'),
}

/**
 * Generates missing secrets for a console on localhost and keeps them in `data/`, readable by the owner only. Throws
 * when others can access them. Any other console needs configured secrets, because its processes share them.
 */
export function ownSecrets(environment: Environment): Environment {
  const url = environment.NEXTAUTH_URL ?? ''
  if (!URL.canParse(url) || !['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)) return environment
  const missing = Object.keys(makers).filter((name) => !environment[name])
  if (missing.length === 0) return environment
  for (const path of [FOLDER, FILE]) assertPrivate(path)
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>) : {}
  const secrets = Object.fromEntries(missing.map((name) => [name, kept[name] ?? makers[name]?.() ?? '']))
  if (missing.some((name) => kept[name] === undefined)) {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
    writeFileSync(FILE, `${JSON.stringify({ ...kept, ...secrets }, null, 2)}\n`, { mode: 0o600 })
  }
  return { ...environment, ...secrets }
}
