'use client'

import { useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { AdminView } from '#lib/domain/queue.ts'
import { ClockTime } from './clock-time.tsx'
import { newsWords } from './news-words.ts'
import type { PolledQueue } from './use-polled-queue.ts'

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** How whole the list is, who sees it, and what is new in it. */
export function QueueStrip({ queue }: { queue: PolledQueue }) {
  const box = useRef<HTMLDivElement>(null)
  const { rows, unreadable, shownAt, latest, news, silent } = queue
  const newsText = newsWords(news)
  const show = () => {
    queue.show()
    // The button goes; whoever pressed it stays here.
    box.current?.focus()
  }
  return (
    <div ref={box} tabIndex={-1} className="grid gap-1 border-line border-b px-3.5 py-2 text-sm outline-none">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <p className="figures text-ink-2 [white-space:normal]">
          Complete as of <ClockTime value={shownAt} />, {plural(rows.length + unreadable, 'case', 'cases')}
        </p>
        <p className="text-ink-3">{adminWords[latest.adminView]}</p>
        <div aria-live="polite" className="ml-auto">
          {newsText === '' ? null : (
            <Button onClick={show} className="figures text-working">
              {newsText}: show
            </Button>
          )}
        </div>
      </div>
      {unreadable === 0 ? null : (
        <p className="text-attention">
          {plural(unreadable, 'case', 'cases')} cannot be read, and no filter hides {unreadable === 1 ? 'it' : 'them'}.
        </p>
      )}
      <p role="status" className="text-attention empty:hidden">
        {troubleWords(queue)}
        {silent ? 'The console does not answer. What stands here may be old.' : ''}
      </p>
    </div>
  )
}

const adminWords: Readonly<Record<AdminView, string>> = {
  proved: 'Admin view: everybody’s cases',
  'not-proved': 'Admin view is not proved: these are the cases visible to you',
}

/** Why the latest reading is not whole, where an earlier one still stands. */
function troubleWords({ latest: { shortfall, problem } }: PolledQueue): string {
  switch (shortfall) {
    case null:
      return ''
    case 'problem':
      return `It could not be read again: ${problem === null ? 'no answer' : problemWords(problem).title}. `
    case 'moved':
      return 'It moved while it was read again; the next reading comes by itself. '
    case 'too-many':
      return 'By now it is longer than this console reads. '
  }
}
