import 'server-only'
import { recordedAct } from '#lib/commands/record.ts'

/** Recorded by `enrol-passkey.ts`. */
export const passkeyAdd = recordedAct('passkey.add', ({ name }) => `Add the passkey “${name}”`)
