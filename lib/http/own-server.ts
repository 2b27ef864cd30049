import 'server-only'
import type { Server } from 'node:http'

/** What the console's program hands to the code that Next bundles. */
export interface OwnServer {
  readonly server: Server
  /** Ends when all that was put off until after an answer is done. No request may come afterwards. */
  readonly finish: () => Promise<void>
}

const shared = globalThis as typeof globalThis & { consoleServer?: OwnServer }

/** The server that this process listens with; undefined under `next dev`, which has one of its own. */
export const ownServer = (): OwnServer | undefined => shared.consoleServer
