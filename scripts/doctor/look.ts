import { type Environment, parseConfig } from '#lib/config/config.ts'
import { type Finding, found, good } from './faults.ts'
import { lookAtProvider } from './identity-provider.ts'
import { lookAtMachine, lookAtSink } from './machine.ts'
import { lookAtPasted } from './pasted-claims.ts'
import { lookAtService } from './service.ts'
import { lookAtStore } from './store.ts'

/** `pasted`: an ID token's payload; undefined: none. */
export async function lookAtAll(environment: Environment, pasted?: string | null): Promise<readonly Finding[]> {
  const parsed = parseConfig(environment)
  // The parser's messages contain no values, so they cannot reveal a secret.
  if (!parsed.ok) return parsed.faults.map(({ variable, why }) => found('variable', variable, `it ${why}`))
  const { config } = parsed
  const parts = await Promise.all([
    lookAtMachine(config),
    lookAtStore(config),
    lookAtService(config),
    lookAtProvider(config),
    lookAtSink(config),
  ])
  const ofPasted = pasted === undefined ? [] : lookAtPasted(config, pasted)
  return [good('All variables are well-formed.'), ...parts.flat(), ...ofPasted]
}
