import { type HeardNews, hearNews, type NewMessage, type OwnCases } from '#lib/disputes/unread/own-cases.ts'
import { endOf } from '#lib/values/uuid.ts'
import { onOwnCases } from './own-cases.ts'

/** Somebody who has a message in view has it marked as seen sooner: what is still unread then is told. */
const SECOND_LOOK_MS = 2_000

/** Tells of each message that is unread at two looks in a row, by a notification that opens its case. Answers how to stop. */
export function tellNews(open: (caseId: string) => void): () => void {
  let heard: HeardNews | null = null
  let latest: OwnCases | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    if (latest === null) return
    const next = hearNews(heard, latest)
    heard = next.heard
    for (const message of next.news) tellOnce(message, open)
    if (heard.waiting.size > 0) timer = setTimeout(look, SECOND_LOOK_MS)
  }
  const stop = onOwnCases((own) => {
    latest = own
    if (timer === undefined) look()
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** No other tab hears of a message as late as this. */
const TOLD_FOR_MS = 600_000

/** Tells of a message in one tab of this browser: the first that asks for the message's lock. */
function tellOnce(message: NewMessage, open: (caseId: string) => void): void {
  const name = `console-new-message ${message.caseId} ${message.key}`
  // Where there are no locks, the browser itself puts notifications of one name in each other's place.
  if (navigator.locks === undefined) {
    show(message, name, open)
    return
  }
  void navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    show(message, name, open)
    await new Promise((done) => setTimeout(done, TOLD_FOR_MS))
  })
}

/** Says which case it is and nothing of what was written: others may see the screen. */
function show({ caseId }: NewMessage, tag: string, open: (caseId: string) => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification('New message in a case of yours', { body: `Case ${endOf(caseId)}`, tag })
    notification.onclick = () => {
      notification.close()
      open(caseId)
    }
  } catch {
    // A browser of a phone has the name and makes none: the rail and the title tell as well.
  }
}
