import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'

/** Empty after the end of the session, which the page's cover announces. */
export function staleWords(problem: Problem | null): string {
  if (problem === null || problem.kind === 'session-over') return ''
  const title = problemWords(problem).title.replace(/\.$/, '')
  const advice = problem.kind === 'console-unreachable' ? ' Check the connection.' : ''
  return `${title}.${advice} What stands here may be old.`
}
