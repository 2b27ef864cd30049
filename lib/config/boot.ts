import 'server-only'
import { randomUUID } from 'node:crypto'

const shared = globalThis as typeof globalThis & { consoleBootId?: string }

/** Names this run of this process: in the journal, and in leases between processes. */
export function bootId(): string {
  shared.consoleBootId ??= randomUUID()
  return shared.consoleBootId
}
