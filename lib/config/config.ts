import 'server-only'
import { type Config, parseConfig } from './parse.ts'
import { perProcess } from './per-process.ts'

/** Throws with the names of invalid variables. */
export const config = (): Config => perProcess('config', parsedConfig)

function parsedConfig(): Config {
  const parsed = parseConfig(process.env)
  if (!parsed.ok) throw new Error(parsed.faults.map(({ variable, why }) => `${variable} ${why}`).join('\n'))
  return parsed.config
}
