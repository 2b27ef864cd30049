import 'server-only'
import { type Config, parseConfig } from './parse.ts'

const shared = globalThis as typeof globalThis & { consoleConfig?: Config }

/** The configuration of this process, parsed at its first use. Throws, naming the variables, when it is not valid. */
export function config(): Config {
  if (shared.consoleConfig !== undefined) return shared.consoleConfig
  const parsed = parseConfig(process.env)
  if (!parsed.ok) throw new Error(parsed.faults.map(({ variable, why }) => `${variable} ${why}`).join('\n'))
  shared.consoleConfig = parsed.config
  return parsed.config
}
