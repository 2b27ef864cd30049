'use client'

import Link from 'next/link'
import { TurnMark, UnreadMark } from '#components/disputes/case-marks.tsx'
import { useAssignedCases } from '#components/frame/assigned-cases.tsx'
import { MoreLink, Panel, TextLink } from '#components/frame/panel.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type AssignedCase, type AssignedCases, unreadIn } from '#lib/disputes/unread/assigned-cases.ts'
import { type ThreadState, unreadWords, writtenBy } from '#lib/disputes/unread/thread-state.ts'
import { visibleText } from '#lib/values/visible-text.ts'

export const TITLE = 'My cases'

interface MyCasesPanelProps {
  /** Null while the server does not know. */
  initial: AssignedCases | null
}

export function MyCasesPanel({ initial }: MyCasesPanelProps) {
  const own = useAssignedCases() ?? initial
  const unread = unreadIn(own)
  const count = own === null ? 0 : own.cases.length + own.more
  return (
    <Panel
      title={TITLE}
      aside={
        own === null ? undefined : (
          <span className="figures text-muted-foreground text-sm">
            {count.toLocaleString('en-US')} {count === 1 ? 'case' : 'cases'}
            {unread === 0 ? '' : `, ${unreadWords(unread)}`}
          </span>
        )
      }
    >
      {own === null ? <p className={wordsClass}>Your cases could not be loaded yet. Trying again.</p> : null}
      {own?.cases.length === 0 && own.snoozed > 0 ? (
        <p className={wordsClass}>All your open cases are snoozed.</p>
      ) : null}
      {own?.cases.length === 0 && own.snoozed === 0 ? (
        <p className={wordsClass}>
          No open cases are assigned to you. <TextLink href="/disputes">Open disputes</TextLink> to assign one.
        </p>
      ) : null}
      <ul>
        {own?.cases.map((one) => (
          <CaseItem key={one.id} one={one} />
        ))}
      </ul>
      <MoreLink count={own?.more ?? 0} href="/disputes?claim=mine" />
      {own === null || own.snoozed === 0 ? null : (
        <Link
          href="/disputes?claim=snoozed"
          prefetch={false}
          className="block px-3.5 py-2.5 text-primary text-sm hover:underline"
        >
          {own.snoozed.toLocaleString('en-US')} snoozed
        </Link>
      )}
    </Panel>
  )
}

const wordsClass = 'px-3.5 py-4 text-secondary-foreground text-sm'

function CaseItem({ one: { id, reason, thread } }: { one: AssignedCase }) {
  const href = `/disputes/${encodeURIComponent(id)}`
  return (
    <li data-own-case={id} className="grid gap-0.5 border-b px-3.5 py-2 text-sm last:border-b-0 hover:bg-background">
      <div className="flex min-h-5.5 items-center gap-2">
        <Link href={href} prefetch={false} className="min-w-0 flex-1 truncate font-[550] hover:underline">
          <bdi>{reason === null || reason === '' ? 'Case' : visibleText(reason)}</bdi>
        </Link>
        <UnreadMark count={thread?.unread ?? 0} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-secondary-foreground">
        <Reference short value={id} name="Case id" />
        {thread === null ? <span className="text-attention">Messages could not be loaded</span> : null}
        {thread?.turn == null ? null : <TurnMark turn={thread.turn} />}
        <span className="ml-auto text-muted-foreground">
          {thread === null ? null : <LastMessage thread={thread} />}
        </span>
      </div>
    </li>
  )
}

const LastMessage = ({ thread: { lastAt, lastBy } }: { thread: ThreadState }) =>
  lastAt === null || lastBy === null ? (
    'no messages yet'
  ) : (
    <>
      last message by {writtenBy(lastBy)} <Timestamp value={lastAt} as="past" />
    </>
  )
