import { z } from 'zod'

/** Ends every record of the JSON protocol. */
const RECORD_END = '\u001e'

const request = z.looseObject({ protocol: z.string(), version: z.number() })

export type Handshake =
  | { readonly ok: true; readonly rest: string }
  /** What to tell the client. */
  | { readonly ok: false; readonly error: string }

/** Reads the first record of a connection, which names the protocol; what came after it in the same message is the rest. */
export function readHandshake(text: string): Handshake {
  const end = text.indexOf(RECORD_END)
  const parsed = request.safeParse(end < 0 ? null : parse(text.slice(0, end)))
  if (!parsed.success) return { ok: false, error: 'The handshake cannot be read.' }
  const { protocol, version } = parsed.data
  if (protocol !== 'json') return { ok: false, error: `The protocol '${protocol}' is not supported.` }
  if (version !== 1)
    return { ok: false, error: `The server does not support version ${version} of the 'json' protocol.` }
  return { ok: true, rest: text.slice(end + 1) }
}

/** Empty when the protocol is agreed on. */
export const writeHandshakeResponse = (response: { readonly error?: string }): string =>
  JSON.stringify(response) + RECORD_END

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
