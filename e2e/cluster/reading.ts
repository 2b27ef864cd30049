import { setTimeout as wait } from 'node:timers/promises'

interface Reader {
  /** Its status alone where it is no success. */
  page(path: string): Promise<string>
}

/** What became of the pages that people asked for. */
export interface Seen {
  pages: number
  failed: number
  failedTwice: number
  lostSessions: number
}

export interface Reading {
  readonly seen: Seen
  stop(): Promise<Seen>
}

const PAGES = ['/', '/activity', '/security']
/** A page that is nobody's: a session that is lost may be told by a status, or by a page that leads to sign-in. */
const NOBODY = 'nobody'
const WITHOUT_SESSION = ['302', '303', '307', '401', NOBODY]

const statusOf = async (reader: Reader, path: string): Promise<string> => {
  const text = await reader.page(path).catch(() => 'cut')
  if (text.length <= 3) return text
  return text.includes('Account: ') ? '200' : NOBODY
}

/** Everybody reads a page, waits for about so long, and reads the next one. What fails is asked for once more at once. */
export function keepReading(readers: readonly Reader[], pauseMs: number): Reading {
  const seen: Seen = { pages: 0, failed: 0, failedTwice: 0, lostSessions: 0 }
  const ending = new AbortController()
  const pause = (ms: number) => wait(ms, undefined, { signal: ending.signal }).catch(() => {})

  async function read(reader: Reader): Promise<void> {
    await pause(Math.random() * pauseMs)
    for (let turn = 0; !ending.signal.aborted; turn += 1) {
      const path = PAGES[turn % PAGES.length] ?? '/'
      const first = await statusOf(reader, path)
      const last = first === '200' ? first : await statusOf(reader, path)
      seen.pages += 1
      if (first !== '200') seen.failed += 1
      if (WITHOUT_SESSION.includes(last)) seen.lostSessions += 1
      else if (last !== '200') seen.failedTwice += 1
      await pause(pauseMs * (0.8 + Math.random() * 0.4))
    }
  }

  const all = Promise.all(readers.map(read))
  return {
    seen,
    async stop() {
      ending.abort()
      await all
      return seen
    },
  }
}
