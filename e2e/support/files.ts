import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Received } from './received.ts'

/** Every file below a folder, as text. */
export function filesBelow(folder: string): Received[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ what: path, text: readFileSync(path, 'latin1') }))
}
