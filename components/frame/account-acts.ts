import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import type { TimeFirst } from '#lib/values/time.ts'

export type Theme = 'system' | 'light' | 'dark'

const post = (path: string, body: unknown) => askConsole(path, { method: 'POST', ...asJson(body) })

interface Saved {
  /** Why a choice was not saved, in words; null when it was. */
  readonly fault: string | null
  /** Without a session the page must not be read anew: it would leave for sign-in, and is to stay. */
  readonly sessionOver: boolean
}

/** Keeps what the person chooses for themselves. */
export async function saveChoice(change: { theme?: Theme; timeFirst?: TimeFirst }): Promise<Saved> {
  const saved = await post('/api/session/preferences', change)
  return {
    fault: saved?.status === 200 ? null : `The choice was not saved. ${problemWords(problemIn(saved)).title}.`,
    sessionOver: saved?.status === 401,
  }
}

/** Ends the session and leaves the console. Answers why it did not, in words. */
export async function signOut(): Promise<string | null> {
  const ended = await post('/api/session/sign-out', {})
  if (ended?.status === 200) window.location.assign((ended.body as { to: string }).to)
  // A session that is over already is signed out as well.
  else if (ended?.status === 401) window.location.assign('/signed-out')
  else return `Sign-out did not go through. ${problemWords(problemIn(ended)).title}.`
  return null
}
