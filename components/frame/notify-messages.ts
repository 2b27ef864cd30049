import {
  type Announcements,
  type AssignedCases,
  findNewMessages,
  type NewMessage,
} from '#lib/disputes/unread/assigned-cases.ts'
import { shortId } from '#lib/values/ids.ts'
import { onAssignedCases } from './assigned-cases.tsx'
import { showNotification } from './waiting-watch.tsx'

/** A message in view is marked as read within this time. */
const SECOND_CHECK_MS = 2_000

/** Notifies of each message that is unread in two checks in a row. */
export function notifyMessages(open: (caseId: string) => void): () => void {
  let seen: Announcements | null = null
  let latest: AssignedCases | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    timer = undefined
    if (latest === null) return
    const next = findNewMessages(seen, latest)
    seen = next.announcements
    for (const message of next.messages) notifyOnce(message, open)
    if (seen.waiting.size > 0) timer = setTimeout(check, SECOND_CHECK_MS)
  }
  const stop = onAssignedCases((own) => {
    latest = own
    if (timer === undefined) check()
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** Longer than another tab can take to learn of the message. */
const LOCKED_FOR_MS = 600_000

/** Only the tab that gets the message's lock shows the notification. */
function notifyOnce(message: NewMessage, open: (caseId: string) => void): void {
  const name = `console-new-message ${message.caseId} ${message.key}`
  // Without Web Locks, the tag lets the browser replace duplicates.
  if (navigator.locks === undefined) {
    notify(message, name, open)
    return
  }
  void navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    notify(message, name, open)
    await new Promise((done) => setTimeout(done, LOCKED_FOR_MS))
  })
}

/** Does not show the message: other people may see the screen. */
function notify({ caseId, isWatched }: NewMessage, tag: string, open: (caseId: string) => void): void {
  const title = `New message in a case ${isWatched ? 'that you watch' : 'of yours'}`
  showNotification(title, { body: `Case ${shortId(caseId)}`, tag }, () => open(caseId))
}
