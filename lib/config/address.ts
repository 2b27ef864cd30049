import 'server-only'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { text } from './keys.ts'

export const isLocal = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

const webAddress = text.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
  error: 'must be an http or https address',
})

const httpsAddress = webAddress.refine(
  (value) => !URL.canParse(value) || new URL(value).protocol !== 'http:' || isLocal(value),
  'must be https: plain http is for this machine only',
)

/** Without a trailing slash. */
const baseOf = (schema: typeof webAddress) =>
  schema
    .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment')
    .transform((value) => value.replace(/\/+$/, ''))

export const address = baseOf(httpsAddress)

/** Plain http for any machine. */
export const plainAddress = baseOf(webAddress)

/** `wss` reads as `https`. */
export const realTimeAddress = text.transform((value) => value.replace(/^ws(?=s?:)/, 'http')).pipe(address)

export const origin = address.refine((value) => !URL.canParse(value) || new URL(value).origin === value, {
  error: 'must be an origin: scheme, host and port, without a path',
})

const sinkFile = text
  .transform((value) => value.slice('file:'.length))
  .refine((path) => isAbsolute(path) && !path.endsWith('/'), {
    error: 'must name a file with its absolute path, such as file:/var/log/console/log.jsonl',
  })
  .transform((path) => ({ kind: 'file', path }) as const)

const sinkAddress = httpsAddress
  .refine((value) => !URL.canParse(value) || new URL(value).username + new URL(value).password === '', {
    error: 'must have no user name and password: AUDIT_SINK_TOKEN is for secrets',
  })
  .transform((value) => ({ kind: 'http', url: new URL(value) }) as const)

export const auditSink = text.transform((value, context) => {
  const parsed = (value.startsWith('file:') ? sinkFile : sinkAddress).safeParse(value)
  if (parsed.success) return parsed.data
  context.addIssue(parsed.error.issues[0]?.message ?? 'is not valid')
  return z.NEVER
})
