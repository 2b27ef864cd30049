import { announceSessionOver } from './session-events.ts'

export interface ConsoleAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * One request of a page to its console, with an answer in JSON; null when the console did not answer. A refusal for want
 * of a session is told to the page, which covers itself where the session has ended.
 */
export async function askConsole(path: string, init: RequestInit = {}): Promise<ConsoleAnswer | null> {
  try {
    const response = await fetch(path, { cache: 'no-store', ...init, headers: { 'x-console': '1', ...init.headers } })
    if (response.status === 401) announceSessionOver()
    return { status: response.status, body: await response.json() }
  } catch {
    return null
  }
}

/** The body and the header of a request that brings JSON. */
export const asJson = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
