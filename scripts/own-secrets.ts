import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

export class BrokenSecrets extends Error {
  constructor(fault: string) {
    super(`${FILE} ${fault}. Restore it from a copy: without its keys the journal cannot be checked`)
    this.name = 'BrokenSecrets'
  }
}

/** For localhost, kept in `data/`; others need configured secrets. Throws {@link LoosePath}, {@link BrokenSecrets}. */
export function ownSecrets(environment: Environment, { makesFile = false } = {}): Environment {
  const url = environment.NEXTAUTH_URL ?? ''
  if (!URL.canParse(url) || !['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)) return environment
  const missing = Object.keys(makers).filter((name) => !environment[name])
  if (missing.length === 0) return environment
  for (const path of [FOLDER, FILE]) assertPrivate(path)
  const kept = existsSync(FILE) ? secretsIn(readFileSync(FILE, 'utf8')) : {}
  const lost = ['AUDIT_KEY', 'LOG_KEY'].filter((name) => missing.includes(name) && kept[name] === undefined)
  const [, store = null] = /^file:(.+)$/.exec(environment.DATABASE_URL || 'file:./data/console') ?? []
  if (lost.length > 0 && store !== null && existsSync(join(store, 'pgdata')))
    throw new BrokenSecrets(`lacks ${lost.join(' and ')} of the journal in ${store}`)
  const secrets = Object.fromEntries(missing.map((name) => [name, kept[name] ?? makers[name]?.() ?? '']))
  if (makesFile && missing.some((name) => kept[name] === undefined)) {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
    writeFileSync(FILE, `${JSON.stringify({ ...kept, ...secrets }, null, 2)}\n`, { mode: 0o600 })
  }
  return { ...environment, ...secrets }
}

/** An error of `JSON.parse` would contain a part of the text. */
function secretsIn(text: string): Record<string, string> {
  let kept: unknown = null
  try {
    kept = JSON.parse(text)
  } catch {}
  if (typeof kept !== 'object' || kept === null) throw new BrokenSecrets('is not JSON')
  return { ...kept }
}
