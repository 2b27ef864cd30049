import 'server-only'
import { type ClientOptions, WebSocket } from 'ws'

const HANDSHAKE_WITHIN_MS = 5_000
/** No message of a thread comes near this. */
const PAYLOAD_MAX_BYTES = 256 * 1024

/**
 * The WebSocket of one connection to the hub: it does not wait or take without limit, and follows no redirect, which
 * would carry the token elsewhere. `onRefused` hears the HTTP status when the service does not let it in.
 */
export function hubSocket(onRefused: (status: number) => void) {
  return class extends WebSocket {
    constructor(address: string, protocols?: string | string[], options?: ClientOptions) {
      super(address, protocols, {
        ...options,
        handshakeTimeout: HANDSHAKE_WITHIN_MS,
        maxPayload: PAYLOAD_MAX_BYTES,
        followRedirects: false,
        perMessageDeflate: false,
      })
      this.once('unexpected-response', (_request, response) => {
        onRefused(response.statusCode ?? 0)
        this.terminate()
      })
    }
  }
}
