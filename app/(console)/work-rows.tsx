import Link from 'next/link'
import { type ReactNode, useId } from 'react'
import { CaseAge } from '#components/disputes/case-marks.tsx'
import { ButtonLink } from '#components/frame/panel.tsx'
import { badgeOf } from '#components/ui/badge.tsx'
import { AtSign, Bell, CircleHelp, CornerUpLeft, Hourglass, Inbox } from '#components/ui/icons.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import {
  type AssignedCase,
  hasChanges,
  hasOwnMessages,
  type WatchedChanges,
} from '#lib/disputes/unread/assigned-cases.ts'
import { type ThreadState, turnWords, unreadWords, writtenBy } from '#lib/disputes/unread/thread-state.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted } from '#lib/values/words.ts'

/** Neither assigned nor with a mention. */
export const isWatchedChange = ({ thread, notice }: AssignedCase): boolean =>
  notice !== undefined &&
  !notice.assigned &&
  notice.mention === null &&
  ((thread?.unread ?? 0) > 0 || (notice.watch !== null && hasChanges(notice.watch)))

export function CaseRow({ one }: { one: AssignedCase }) {
  const { id, reason, thread, openSince, notice } = one
  const { mention = null, watch = null } = notice ?? {}
  const changes = watch === null ? [] : watchWords(watch)
  const shown = hasOwnMessages(one) ? thread : null
  return (
    <Row
      mark={mention === null ? caseMark(thread, watch) : badgeOf(AtSign, 'attention', 'mentioned you')}
      href={`/disputes/${encodeURIComponent(id)}`}
      title={<bdi>{reason === null || reason === '' ? 'Case' : visibleText(reason)}</bdi>}
      act="Open case"
      facts={
        <>
          <Reference short value={id} name="Case id" />{' '}
          {mention === null ? null : (
            <>
              in a note by {visibleText(mention.by)}, <Timestamp value={mention.at} as="past" />
              {shown === null ? '' : '. '}
            </>
          )}
          {shown === null ? null : (
            <>
              {shown.unread === 0 || shown.turn === null ? null : `${turnWords(shown.turn)}, `}
              <LastMessage thread={shown} />
            </>
          )}
          {openSince === null ? null : (
            <>
              {shown === null ? '' : '. '}
              <span className="whitespace-nowrap">
                Open <CaseAge createdAt={openSince} status="OPEN" />
              </span>
            </>
          )}
          {changes.length === 0
            ? null
            : `${shown === null && openSince === null ? '' : '. '}New: ${changes.join(', ')}`}
        </>
      }
    />
  )
}

/** For example `assigned to mia`, `2 notes`. */
const watchWords = ({ resolved, assignee, notes }: WatchedChanges): readonly string[] =>
  [
    resolved ? ['resolved'] : [],
    assignee === null ? [] : [assignee === '' ? 'unassigned' : `assigned to ${visibleText(assignee)}`],
    notes > 0 ? [counted(notes, 'note')] : [],
  ].flat()

function caseMark(thread: ThreadState | null, watch: WatchedChanges | null): ReactNode {
  if (watch !== null && hasChanges(watch) && (thread?.unread ?? 0) === 0)
    return badgeOf(Bell, 'working', watchLabel(watch))
  if (thread === null) return badgeOf(CircleHelp, 'attention', 'messages not loaded')
  const { unread, turn } = thread
  if (unread > 0) return badgeOf(Inbox, 'working', unreadWords(unread))
  if (turn === null) return null
  return turn === 'us'
    ? badgeOf(CornerUpLeft, 'attention', turnWords(turn))
    : badgeOf(Hourglass, 'neutral', turnWords(turn))
}

function watchLabel({ resolved, assignee, notes }: WatchedChanges): string {
  if (resolved) return 'resolved'
  if (assignee !== null) return assignee === '' ? 'unassigned' : 'reassigned'
  return notes === 1 ? 'new note' : 'new notes'
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
