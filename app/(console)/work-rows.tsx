import Link from 'next/link'
import { type ReactNode, useId } from 'react'
import { ButtonLink } from '#components/frame/panel.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { AtSign, Bell, CircleHelp, CornerUpLeft, Hourglass, type Icon, Inbox } from '#components/ui/icons.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type AssignedCase, hasNews, type WatchNews } from '#lib/disputes/unread/assigned-cases.ts'
import { type ThreadState, turnWords, unreadWords, writtenBy } from '#lib/disputes/unread/thread-state.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { Meaning } from '#lib/values/words.ts'

export const markOf = (Icon: Icon, meaning: Meaning, words: string) => (
  <Badge variant={meaning}>
    <Icon aria-hidden />
    {words}
  </Badge>
)

/** Neither assigned nor with a mention. */
export const isWatchedNews = ({ thread, notice }: AssignedCase): boolean =>
  notice !== undefined &&
  !notice.assigned &&
  notice.mention === null &&
  ((thread?.unread ?? 0) > 0 || (notice.watch !== null && hasNews(notice.watch)))

export function CaseRow({ one: { id, reason, thread, notice } }: { one: AssignedCase }) {
  const { mention = null, watch = null } = notice ?? {}
  const news = watch === null ? '' : newsWords(watch)
  return (
    <Row
      mark={mention === null ? caseMark(thread, news) : markOf(AtSign, 'attention', 'mentioned you')}
      href={`/disputes/${encodeURIComponent(id)}`}
      title={<bdi>{reason === null || reason === '' ? 'Case' : visibleText(reason)}</bdi>}
      act="Open case"
      facts={
        <>
          <Reference short value={id} name="Case id" />{' '}
          {mention === null ? null : (
            <>
              in a note by {visibleText(mention.by)}, <Timestamp value={mention.at} as="past" />.{' '}
            </>
          )}
          {news === '' ? null : `Watching: ${news}. `}
          {thread === null ? null : (
            <>
              {thread.unread === 0 || thread.turn === null ? null : `${turnWords(thread.turn)}, `}
              <LastMessage thread={thread} />
            </>
          )}
        </>
      }
    />
  )
}

/** For example `resolved, 2 new notes`; empty without news. */
function newsWords({ resolved, assignee, notes }: WatchNews): string {
  const parts = [
    resolved ? ['resolved'] : [],
    assignee === null ? [] : [assignee === '' ? 'unassigned' : `assigned to ${visibleText(assignee)}`],
    notes > 0 ? [notes === 1 ? '1 new note' : `${notes.toLocaleString('en-US')} new notes`] : [],
  ]
  return parts.flat().join(', ')
}

function caseMark(thread: ThreadState | null, news: string): ReactNode {
  if (news !== '' && (thread?.unread ?? 0) === 0) return markOf(Bell, 'working', 'watched case')
  if (thread === null) return markOf(CircleHelp, 'attention', 'messages not loaded')
  const { unread, turn } = thread
  if (unread > 0) return markOf(Inbox, 'working', unreadWords(unread))
  if (turn === null) return null
  return turn === 'us'
    ? markOf(CornerUpLeft, 'attention', turnWords(turn))
    : markOf(Hourglass, 'neutral', turnWords(turn))
}

const LastMessage = ({ thread: { lastAt, lastBy } }: { thread: ThreadState }) =>
  lastAt === null || lastBy === null ? (
    'no messages yet'
  ) : (
    <>
      last message by {writtenBy(lastBy)}{' '}
      <span className="whitespace-nowrap">
        <Timestamp value={lastAt} as="past" />
      </span>
    </>
  )

interface RowProps {
  mark: ReactNode
  /** Undefined if the title is a link itself. */
  href?: string
  title: ReactNode
  facts: ReactNode
  act?: string | undefined
}

export function Row({ mark, href, title, facts, act }: RowProps) {
  const id = useId()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-1.5 text-sm hover:bg-background sm:flex-nowrap">
      <span className="shrink-0 max-sm:basis-full sm:min-w-42">{mark}</span>
      <div className="grid min-w-0 flex-1">
        {href === undefined ? (
          title
        ) : (
          <Link id={id} href={href} prefetch={false} className="break-words underline-offset-4 hover:underline">
            {title}
          </Link>
        )}
        <span className="min-w-0 break-words text-muted-foreground text-xs">{facts}</span>
      </div>
      {act === undefined || href === undefined ? null : (
        <ButtonLink variant="outline" size="sm" href={href} aria-describedby={id} data-act>
          {act}
        </ButtonLink>
      )}
    </li>
  )
}
