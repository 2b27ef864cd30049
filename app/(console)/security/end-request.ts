import { askConsole, problemIn } from '#components/service/ask-console.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemWords } from '#lib/service/problem-words.ts'

/** Null when the session has ended; 404 means that it had ended before. */
export async function endSessions(path: string, init: RequestInit): Promise<Problem | null> {
  const answer = await askConsole(path, init)
  return answer?.status === 200 || answer?.status === 404 ? null : problemIn(answer)
}

export function notEndedWords(problem: Problem): string {
  const { title, advice } = problemWords(problem)
  return problem.kind === 'console-unreachable'
    ? `${title}. It is not known whether it was ended. ${advice}`
    : `It was not ended. ${title}. ${advice}`
}
