import { type AssignedCases, type HeardNews, hearNews, type NewMessage } from '#lib/disputes/unread/assigned-cases.ts'
import { shortId } from '#lib/values/ids.ts'
import { onOwnCases } from './own-cases.ts'

/** A message in view is marked as read within this time. */
const SECOND_LOOK_MS = 2_000

/** Notifies of each message that is unread in two checks in a row. */
export function tellNews(open: (caseId: string) => void): () => void {
  let heard: HeardNews | null = null
  let latest: AssignedCases | null = null
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

/** Longer than another tab can take to learn of the message. */
const TOLD_FOR_MS = 600_000

/** Only the tab that gets the message's lock shows the notification. */
function tellOnce(message: NewMessage, open: (caseId: string) => void): void {
  const name = `console-new-message ${message.caseId} ${message.key}`
  // Without Web Locks, the tag lets the browser replace duplicates.
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

/** Does not show the message: other people may see the screen. */
function show({ caseId }: NewMessage, tag: string, open: (caseId: string) => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification('New message in a case of yours', { body: `Case ${shortId(caseId)}`, tag })
    notification.onclick = () => {
      notification.close()
      open(caseId)
    }
  } catch {
    // Mobile browsers define `Notification`, but its constructor throws.
  }
}
