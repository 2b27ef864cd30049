import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { type Fault, type Finding, found } from './faults.ts'

const WITHIN_MS = 10_000

const CERTIFICATE: Readonly<Record<string, Fault>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-authority',
}

/** `code`: a system, DNS or TLS error code. */
export function networkFault(code: string): Fault {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name-unknown'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'TimeoutError' || code === 'ETIMEDOUT') return 'silent'
  return CERTIFICATE[code] ?? 'unreachable'
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return error.name
  const { code } = ((error.cause as Error | undefined) ?? error) as NodeJS.ErrnoException
  return code ?? ''
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The server's clock minus this clock; null without a `Date` header. */
  readonly aheadSeconds: number | null
}

/** A finding when there is no answer. `name`: the environment variable. */
export async function ask(name: string, url: string, init: RequestInit = {}): Promise<Answer | Finding> {
  const begun = Date.now()
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS), ...init })
    const middle = (begun + Date.now()) / 2
    const date = Date.parse(response.headers.get('date') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      aheadSeconds: Number.isNaN(date) ? null : Math.round((date - middle) / 1000),
    }
  } catch (error) {
    return found(networkFault(codeOf(error)), name, new URL(url).host)
  }
}

export const isFinding = (value: object): value is Finding => 'level' in value

/** 101 when the server accepts a WebSocket. */
export function askForWebSocket(url: URL): Promise<number | Fault> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'b3BlcmF0b3ItY29uc29sZQ==',
  }
  return new Promise((done) => {
    const request = (url.protocol === 'https:' ? secure : plain)(url, { headers, timeout: WITHIN_MS })
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      done(101)
    })
    request.once('response', (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
    request.once('timeout', () => {
      done('silent')
      request.destroy()
    })
    request.once('error', (error) => done(networkFault(codeOf(error))))
    request.end()
  })
}
