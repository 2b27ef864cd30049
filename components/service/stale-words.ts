import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'

/**
 * One line for what is kept up to date by asking again, when the latest question failed. Empty when it did not, and when
 * nobody is signed in: the cover of the page says that.
 */
export function staleWords(problem: Problem | null): string {
  if (problem === null || problem.kind === 'session-over') return ''
  const title = problemWords(problem).title.replace(/\.$/, '')
  const advice = problem.kind === 'console-unreachable' ? ' Check the connection.' : ''
  return `${title}.${advice} What stands here may be old.`
}
