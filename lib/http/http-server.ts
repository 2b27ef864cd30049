import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'

/** Node loads this file directly, so it is not `server-only`. */
export interface HttpServer {
  readonly server: Server
  /** Resolves when all deferred work is done. No request may follow. */
  readonly finish: () => Promise<void>
  readonly styleSheets: () => readonly string[]
}

export const httpServer = (): HttpServer | undefined => peekPerProcess('server')

export const putHttpServer = (own: HttpServer): void => putPerProcess('server', own)

export type AroundAnswer = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void

export const aroundAnswer = (): AroundAnswer =>
  peekPerProcess<AroundAnswer>('around answer') ?? ((_request, _response, answer) => answer())

export const putAroundAnswer = (around: AroundAnswer): void => putPerProcess('around answer', around)

type SignedInActor = (cookies: string) => Promise<string | null>

export const signedInActor: SignedInActor = async (cookies) =>
  (await peekPerProcess<SignedInActor>('signed-in actor')?.(cookies)) ?? null

export const putSignedInActor = (find: SignedInActor): void => putPerProcess('signed-in actor', find)
