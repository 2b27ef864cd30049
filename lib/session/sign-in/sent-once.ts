import 'server-only'
import { createHash } from 'node:crypto'
import { perProcess } from '#lib/config/per-process.ts'

/** A second press comes well within this time. The answer holds the handle of a session, so it is not kept longer. */
const KEPT_MS = 2_000

/**
 * A page without a script sends its form as often as its button is pressed. A form, told from others by its token, is worked
 * once within two seconds, and each press gets that answer: there is one session, and a wrong password counts once.
 */
export async function sentOnce(form: readonly string[], answer: () => Promise<Response>): Promise<Response> {
  const answers = perProcess('forms of sign-in', () => new Map<string, Promise<Response>>())
  const key = createHash('sha256').update(JSON.stringify(form)).digest('base64')
  const before = answers.get(key)
  const own = before ?? answer()
  if (before === undefined) {
    answers.set(key, own)
    const forget = () => void setTimeout(() => answers.delete(key), KEPT_MS).unref()
    own.then(forget, forget)
  }
  return (await own).clone()
}
