import { asJson, askConsole, fetchConsole, SESSION_STATE } from '#components/service/ask-console.ts'
import { announceSignedIn, onSessionBack } from '#components/service/session-events.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import { NewsLine } from './news-line.ts'
import { NewsTab, type TabBrowser, type TabMessage } from './news-tab.ts'

export function beginTab(owner: string): NewsTab {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('console-news')
  const { locks } = navigator
  const browser: TabBrowser = {
    // Without Web Locks, each tab has its own stream.
    hold: (name, held) => {
      if (locks === undefined) held()
      else
        void locks.request(name, () => {
          held()
          return new Promise<never>(() => {})
        })
    },
    whenFree: (name, free) => void locks?.request(name, free),
    post: (message) => locks && channel?.postMessage(message),
    isHidden: () => document.visibilityState === 'hidden',
    openLine: (options) => new NewsLine({ ...options, ask, isSignedIn }),
  }
  const tab = new NewsTab(browser)
  tab.owner = owner
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => tab.hear(data))
  document.addEventListener('visibilitychange', () => tab.seen())
  window.addEventListener('online', () => tab.hurry())
  window.addEventListener('offline', () => tab.offline())
  onSessionBack(() => tab.hurry())
  return tab
}

const ask = (path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetchConsole(path, { method: 'POST', ...asJson(body), ...(signal === undefined ? {} : { signal }) })

async function isSignedIn(): Promise<boolean | null> {
  const answer = await askConsole(SESSION_STATE)
  if (answer?.status !== 200) return null
  const { signedIn } = answer.body as SessionState
  if (signedIn) announceSignedIn()
  return signedIn
}
