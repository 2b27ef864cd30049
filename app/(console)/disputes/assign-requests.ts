import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { ASSIGN_MAX, type CaseAssigned, type NewAssignee, type Person } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'

const PATH = '/api/disputes/assignments'
const NO_ANSWER = 'No answer came, so it is not known whether this was done. Look at the case.'

/** Null when the console gave no usable answer. */
export async function readColleagues(): Promise<readonly Person[] | null> {
  const answer = await askConsole(PATH)
  return answer?.status === 200 ? (answer.body as { people: readonly Person[] }).people : null
}

/** Sends requests of at most `ASSIGN_MAX` cases and returns a result per case. */
export async function assignCases(caseIds: readonly string[], to: NewAssignee): Promise<readonly CaseAssigned[]> {
  const ended: CaseAssigned[] = []
  for (let from = 0; from < caseIds.length; from += ASSIGN_MAX) {
    ended.push(...(await assignSome(caseIds.slice(from, from + ASSIGN_MAX), to)))
  }
  return ended
}

async function assignSome(caseIds: readonly string[], to: NewAssignee): Promise<readonly CaseAssigned[]> {
  const answer = await askConsole(PATH, { method: 'POST', ...asJson({ caseIds, to }) })
  if (answer?.status === 200) return (answer.body as { cases: readonly CaseAssigned[] }).cases
  const end = answer === null ? 'not-known' : 'not-done'
  const why = answer === null ? NO_ANSWER : `${problemWords(problemIn(answer)).title}.`
  return caseIds.map((caseId) => ({ caseId, end, why }))
}
