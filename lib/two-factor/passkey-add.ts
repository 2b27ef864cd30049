import 'server-only'
import { recordedAct } from '#lib/commands/recorded-act.ts'

/** Written down by `enrol-passkey.ts`, which does it. */
export const passkeyAdd = recordedAct('passkey.add', ({ name }) => `Add the passkey “${name}”`)
