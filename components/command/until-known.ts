import type { CommandReply } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'

const ASK_AGAIN_MS = 2_500

/**
 * Asks until the console says what became of an unanswered confirmation. A refusal concerns only this request, so it
 * decides nothing.
 */
export async function untilKnown(
  ask: () => Promise<CommandReply | null>,
  onUnknown: (problem: Problem) => void,
): Promise<Extract<CommandReply, { ok: true }>> {
  for (;;) {
    const reply = await ask()
    if (reply?.ok) return reply
    onUnknown(reply === null ? problemOf('console-unreachable') : reply.problem)
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS))
  }
}
