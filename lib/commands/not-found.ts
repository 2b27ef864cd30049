import 'server-only'
import type { CommandReply } from '#lib/domain/command.ts'

/** For an unknown command, and for somebody else's. */
export const notFound = {
  ok: false,
  problem: {
    kind: 'service',
    status: 404,
    code: null,
    title: 'No such command of yours',
    traceId: null,
    retryAfterSeconds: null,
    scope: null,
  },
} as const satisfies CommandReply
