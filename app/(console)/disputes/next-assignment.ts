import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import type { NextAssigned } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'

/** `query`: of the queue, with its filters. */
export async function assignNext(query: string, isConfirmed: boolean): Promise<NextAssigned> {
  const answer = await askConsole(`/api/disputes/next${query}`, { method: 'POST', ...asJson({ isConfirmed }) })
  if (answer === null) return { why: 'No answer came. A case may be assigned to you. Check your cases.' }
  if (answer.status === 200) return (answer.body as { next: NextAssigned }).next
  return { why: `${problemWords(problemIn(answer)).title}. No case was assigned.` }
}
