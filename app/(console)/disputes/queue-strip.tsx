'use client'

import { type ReactNode, useRef } from 'react'
import { staleWords } from '#components/service/ask-console.ts'
import { RetryButton } from '#components/service/retry-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { ClockTime, useServerSecond } from '#components/values/timestamp.tsx'
import { type IndexState, type QueueView, usesThreads } from '#lib/disputes/queue/queue.ts'
import { indexWords } from '#lib/disputes/queue/words.ts'
import { ageText } from '#lib/values/time.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { type CurrentQueue, queueChangesWords } from './use-current-queue.ts'

export function QueueStrip({ queue, children }: { queue: CurrentQueue; children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const { view, latest, changes, problem } = queue
  const { unreadable } = view
  const changesText = queueChangesWords(changes)
  const unknown = usesThreads(view.filter) ? (latest.counts.turns?.unknown ?? 0) : 0
  const show = () => {
    queue.show()
    // The button disappears; the focus moves to this line.
    box.current?.focus()
  }
  return (
    <div ref={box} tabIndex={-1} className="grid gap-1 border-b px-3.5 py-2 text-sm outline-none">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <Completeness queue={queue} />
        <p className="text-muted-foreground">
          <IndexAge index={latest.index} />
        </p>
        <p className="text-muted-foreground">{adminWords(latest)}</p>
        <span className="-my-1 ml-auto flex flex-wrap max-sm:-ml-3">{children}</span>
        <div aria-live="polite" className="empty:hidden">
          {changesText === '' ? null : (
            <Button variant="outline" onClick={show} className="figures">
              <span className="text-working">{changesText}: show</span>
            </Button>
          )}
        </div>
      </div>
      {unreadable === 0 ? null : (
        <p className="text-attention">
          {counted(unreadable, 'case')} cannot be read. Filters do not hide {unreadable === 1 ? 'it' : 'them'}.
        </p>
      )}
      {unknown === 0 ? null : (
        <p className="text-attention">
          The messages of {counted(unknown, 'case')} have not been read here. See turn “Not known”.
        </p>
      )}
      {latest.amountsUnread === 0 ? null : <p className="text-attention">{amountWords(latest.amountsUnread)}</p>}
      <div className="flex flex-wrap items-center gap-3 empty:hidden">
        <p role="status" className="text-attention empty:hidden">
          {[troubleWords(queue), staleWords(problem)].filter((words) => words !== '').join(' ')}
        </p>
        {latest.index.shortfall === null ? null : <RetryButton />}
      </div>
    </div>
  )
}

const amountWords = (unread: QueueView['amountsUnread']): string =>
  unread === 'hidden'
    ? 'Amounts are hidden from you: reading transactions needs the scope core:transactions:read.'
    : `The amount of ${counted(unread, 'case')} is not known: not read yet, or not visible to you. A filter leaves them out; an order puts them last.`

/** Counts the shown view. While that is partial, it reports the progress of the latest one. */
function Completeness({ queue: { view, latest } }: { queue: CurrentQueue }) {
  const { completeAt } = view.index
  if (completeAt === null) return <p className="figures text-attention">Still loading. {indexWords(latest.index)}</p>
  return (
    <p className="figures text-secondary-foreground [white-space:normal]">
      Complete as of <ClockTime value={completeAt} />, {counted(view.listed, 'case')}
    </p>
  )
}

function adminWords({ adminView, index: { problem } }: QueueView): string {
  if (adminView === 'proved') return 'Admin view: everyone’s cases'
  return problem === null
    ? 'Admin view is no longer confirmed. Reload the page for the cases visible to you.'
    : 'Admin view: everyone’s cases, as last confirmed'
}

/** Why the latest read is incomplete, while an earlier complete one is still shown. */
const troubleWords = ({ view, latest: { index } }: CurrentQueue): string =>
  view.index.completeAt === null || index.shortfall === null
    ? ''
    : `Could not be refreshed. ${indexWords(index)} This list may be out of date.`

/** `read 12 s to 95 s ago`: the ages of the newest and oldest page of the index. Then the next read's progress. */
function IndexAge({ index }: { index: IndexState }) {
  const second = useServerSecond()
  const { oldestReadAt, newestReadAt, reading, completeAt } = index
  // The server renders no ages, because it has no current second to count from.
  if (second === null || oldestReadAt === null || newestReadAt === null) return null
  const [newest, oldest] = [newestReadAt, oldestReadAt].map((at) => ageText(at, second * 1000))
  const span = newest === oldest ? newest : `${newest} to ${oldest}`
  const again =
    reading === null || completeAt === null
      ? ''
      : `, refreshing: ${formatCount(reading.pages)} of ${formatCount(reading.of)} pages`
  return (
    <span className="figures">
      {span === 'now' ? 'read just now' : `read ${span} ago`}
      {again}
    </span>
  )
}
