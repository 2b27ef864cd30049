import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { CaseList, QueueView, TransactionFact } from '#lib/disputes/queue/queue.ts'

type ReadQueue =
  | { readonly ok: true; readonly queue: QueueView }
  /** Of the console; one of the service stands in the queue. */
  | { readonly ok: false; readonly problem: Problem }

/** A list of cases as the server has it now. */
export async function readQueue(list: CaseList): Promise<ReadQueue> {
  const answer = await askConsole(`/api/disputes/queue?${new URLSearchParams({ list })}`)
  if (answer?.status !== 200) return { ok: false, problem: problemIn(answer) }
  return { ok: true, queue: (answer.body as { queue: QueueView }).queue }
}

/** Amount and state of transactions, by reference; null when the console gave no usable answer. */
export async function readFacts(
  references: readonly string[],
): Promise<Readonly<Record<string, TransactionFact>> | null> {
  const query = new URLSearchParams(references.map((reference) => ['reference', reference]))
  const answer = await askConsole(`/api/disputes/facts?${query}`)
  return answer?.status === 200 ? (answer.body as { facts: Readonly<Record<string, TransactionFact>> }).facts : null
}
