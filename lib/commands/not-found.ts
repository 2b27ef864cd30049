import 'server-only'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CommandReply } from '#lib/domain/command.ts'

/** For an unknown command, and for somebody else's. */
export const notFound = {
  ok: false,
  problem: problemOf('service', { status: 404, title: 'No such command of yours' }),
} as const satisfies CommandReply
