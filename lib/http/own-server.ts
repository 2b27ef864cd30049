import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'

/** What the console's program hands to the code that Next bundles; not marked for servers alone, as Node loads it as it is. */
export interface OwnServer {
  readonly server: Server
  /** Ends when all that was put off until after an answer is done. No request may come afterwards. */
  readonly finish: () => Promise<void>
  /** Addresses of the style sheets that every page of the build has. */
  readonly styleSheets: () => readonly string[]
}

/** The server that this process listens with; undefined where another program than `scripts/console.ts` runs this code. */
export const ownServer = (): OwnServer | undefined => peekPerProcess('server')

export const putOwnServer = (own: OwnServer): void => putPerProcess('server', own)

/** Runs around the answer to each request. */
export type AroundAnswer = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void

export const aroundAnswer = (): AroundAnswer =>
  peekPerProcess<AroundAnswer>('around answer') ?? ((_request, _response, answer) => answer())

export const putAroundAnswer = (around: AroundAnswer): void => putPerProcess('around answer', around)

/** Whether a `Cookie` header opens a session. */
type OpensSession = (cookies: string) => Promise<boolean>

export const opensSession: OpensSession = async (cookies) =>
  (await peekPerProcess<OpensSession>('opens session')?.(cookies)) ?? false

export const putOpensSession = (opens: OpensSession): void => putPerProcess('opens session', opens)
