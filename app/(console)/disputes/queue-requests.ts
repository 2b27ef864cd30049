import { askConsole } from '#components/service/ask-console.ts'
import type { CaseList, QueueView, TransactionFact } from '#lib/disputes/queue/queue.ts'

/** Null when the console gave no usable answer. */
async function ask(path: string, query: URLSearchParams): Promise<unknown> {
  const answer = await askConsole(`/api/disputes/${path}?${query}`)
  return answer?.status === 200 ? answer.body : null
}

/** A list of cases as the server has it now. */
export async function readQueue(list: CaseList): Promise<QueueView | null> {
  const answer = (await ask('queue', new URLSearchParams({ list }))) as { queue: QueueView } | null
  return answer?.queue ?? null
}

/** Amount and state of transactions, by reference. */
export async function readFacts(
  references: readonly string[],
): Promise<Readonly<Record<string, TransactionFact>> | null> {
  const query = new URLSearchParams(references.map((reference) => ['reference', reference]))
  const answer = (await ask('facts', query)) as { facts: Readonly<Record<string, TransactionFact>> } | null
  return answer?.facts ?? null
}
