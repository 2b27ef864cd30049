import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { QueueView, TransactionFact } from '#lib/disputes/queue/queue.ts'
import type { ShownRows } from '#lib/disputes/queue/queue-view.ts'

export type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  /** Of the console; one of the service stands in the queue. */
  | { readonly ok: false; readonly problem: Problem }

const NOTHING: ShownRows = { ids: [], arrival: 0 }

/** The cases that an address of the queue asks for, as the server has them now; those that are shown are told by id. */
export async function readQueue(address: string, { ids, arrival }: ShownRows = NOTHING): Promise<Asked<QueueView>> {
  const query = new URLSearchParams(address)
  query.set('arrival', String(arrival))
  query.set('shown', ids.join())
  const answer = await askConsole(`/api/disputes/queue?${query}`)
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, value: (answer.body as { queue: QueueView }).queue }
}

/** Amount and state of transactions, by reference; null when the console gave no usable answer. */
export async function readFacts(
  references: readonly string[],
): Promise<Readonly<Record<string, TransactionFact>> | null> {
  const query = new URLSearchParams(references.map((reference) => ['reference', reference]))
  const answer = await askConsole(`/api/disputes/facts?${query}`)
  return answer?.status === 200 ? (answer.body as { facts: Readonly<Record<string, TransactionFact>> }).facts : null
}
