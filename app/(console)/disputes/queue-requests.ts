import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { QueueView } from '#lib/disputes/queue/queue.ts'

export type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  /** A problem of the console. A problem of the service is part of the queue view. */
  | { readonly ok: false; readonly problem: Problem }

export async function readQueue(address: string): Promise<Asked<QueueView>> {
  const answer = await askConsole(`/api/disputes/queue?${address}`)
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, value: (answer.body as { queue: QueueView }).queue }
}
