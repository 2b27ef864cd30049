import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { readSetting, writeSetting } from '#sandbox/world/setting.ts'
import type { Db } from '#sandbox/world/tables.ts'

export interface Keys {
  readonly signing: JWK
  readonly cookie: string
}

/** Created once per store, so that sign-ins survive a restart and a reset. */
export async function readKeys(db: Db): Promise<Keys> {
  const stored = await readSetting(db, 'keys')
  if (stored !== undefined) return JSON.parse(stored) as Keys
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const signing = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: randomBytes(8).toString('hex') }
  const keys: Keys = { signing, cookie: randomBytes(32).toString('base64url') }
  await writeSetting(db, 'keys', JSON.stringify(keys))
  return keys
}
