import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { QueueView } from '#lib/disputes/queue/queue.ts'

export type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  /** Of the console; one of the service stands in the queue. */
  | { readonly ok: false; readonly problem: Problem }

/** The cases that an address of the queue asks for, as the server has them now. */
export async function readQueue(address: string): Promise<Asked<QueueView>> {
  const answer = await askConsole(`/api/disputes/queue?${address}`)
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, value: (answer.body as { queue: QueueView }).queue }
}
