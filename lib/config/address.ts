import 'server-only'
import { text } from './variable.ts'

export const isLocal = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/** Without a trailing slash; plain http only for this machine. */
export const address = text
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an http or https address',
  )
  .refine((value) => !URL.canParse(value) || !value.startsWith('http:') || isLocal(value), {
    error: 'must be https: plain http is for this machine only',
  })
  .transform((value) => value.replace(/\/+$/, ''))

/** `wss` reads as `https`. */
export const realTimeAddress = text.transform((value) => value.replace(/^ws(?=s?:)/, 'http')).pipe(address)

export const origin = address.refine((value) => !URL.canParse(value) || new URL(value).origin === value, {
  error: 'must be an origin: scheme, host and port, without a path',
})
