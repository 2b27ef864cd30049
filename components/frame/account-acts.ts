import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { TimeFirst } from '#lib/values/time.ts'

export type Theme = 'system' | 'light' | 'dark'

const post = (path: string, body: unknown) => askConsole(path, { method: 'POST', ...asJson(body) })

interface Saved {
  /** The reason to show; null on success. */
  readonly fault: string | null
  /** If true, do not refresh: the refresh would redirect to sign-in and lose typed text. */
  readonly sessionOver: boolean
}

export async function saveChoice(change: { theme?: Theme; timeFirst?: TimeFirst }): Promise<Saved> {
  const saved = await post('/api/session/preferences', change)
  return {
    fault: saved?.status === 200 ? null : `The choice was not saved. ${problemWords(problemIn(saved)).title}.`,
    sessionOver: saved?.status === 401,
  }
}

/** Navigates away on success; otherwise returns the reason to show. */
export async function signOut(): Promise<string | null> {
  const ended = await post('/api/session/sign-out', {})
  if (ended?.status === 200) window.location.assign((ended.body as { to: string }).to)
  else if (ended?.status === 401) window.location.assign('/signed-out')
  else return `Sign-out did not go through. ${problemWords(problemIn(ended)).title}.`
  return null
}
