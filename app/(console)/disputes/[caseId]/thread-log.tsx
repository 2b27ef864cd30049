'use client'

import { ArrowDown, Flag } from 'lucide-react'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { Reference } from '#components/values/reference.tsx'
import { useTimeFirst } from '#components/values/time-preference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type CaseParties, roleIn } from '#lib/disputes/case-role.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { type ThreadItem, threadItems } from './thread-items.ts'
import { useReadersPlace } from './use-readers-place.ts'

interface ThreadLogProps {
  messages: readonly ThreadMessage[]
  parties: CaseParties
  /** The person's own id; null when the console does not know it. */
  me: string | null
  /** Above the messages, where something is to be said of them all. */
  head: ReactNode
  /** Below the messages: what is on its way. */
  children: ReactNode
}

/** A thread, oldest first: both sides at the left, staff at the right, what the service notes as lines. */
export function ThreadLog({ messages, parties, me, head, children }: ThreadLogProps) {
  const { box, content, atEnd, onScroll, toEnd } = useReadersPlace()
  const known = useRef<ReadonlySet<string> | null>(null)
  const [firstNew, setFirstNew] = useState<string | null>(null)
  const [spoken, setSpoken] = useState('')
  const timeFirst = useTimeFirst()
  const hydrated = useHydrated()
  const zone = hydrated && timeFirst === 'local' ? undefined : 'UTC'

  const items = useMemo(() => threadItems(messages, firstNew, zone), [messages, firstNew, zone])

  useEffect(() => {
    const before = known.current
    known.current = new Set(messages.map(({ id }) => id))
    if (before === null) return
    const news = messages.filter(({ id, senderUserId }) => !before.has(id) && !isAmong(me, [senderUserId ?? '']))
    const first = news[0]
    if (first === undefined) return
    setFirstNew((marked) => marked ?? first.id)
    setSpoken(news.map((message) => `${whoOf(message, parties, me)}: ${message.body}`).join('. '))
  }, [messages, parties, me])

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={box}
        onScroll={onScroll}
        aria-label="Thread"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 py-4 outline-offset-[-2px] sm:px-6"
      >
        <div ref={content} className="mt-auto grid gap-3">
          {head}
          <ol className="grid gap-3">
            {items.map((item) => (
              <li key={item.key}>
                <Item item={item} parties={parties} me={me} />
              </li>
            ))}
          </ol>
          {children}
        </div>
      </section>
      <p aria-live="polite" className="sr-only">
        {spoken}
      </p>
      {atEnd ? null : (
        <Button variant="outline" className="absolute right-4 bottom-3 shadow-[var(--lift)]" onClick={toEnd}>
          <ArrowDown aria-hidden />
          Jump to latest
        </Button>
      )}
    </div>
  )
}

function Item({ item, parties, me }: { item: ThreadItem; parties: CaseParties; me: string | null }) {
  switch (item.kind) {
    case 'message':
      return <Message message={item.message} parties={parties} me={me} />
    case 'day':
      return <Rule>{item.day}</Rule>
    case 'new':
      return <Rule marked>New</Rule>
  }
}

const Rule = ({ marked = false, children }: { marked?: boolean; children: ReactNode }) => (
  <div
    className={cn(
      'flex items-center gap-4 py-1 text-xs before:h-px before:flex-1 after:h-px after:flex-1',
      marked
        ? 'font-semibold text-primary before:bg-primary after:bg-primary'
        : 'text-muted-foreground before:bg-border after:bg-border',
    )}
  >
    {children}
  </div>
)

function whoOf({ senderUserId }: ThreadMessage, parties: CaseParties, me: string | null): string {
  if (senderUserId === null) return 'The service'
  return isAmong(me, [senderUserId]) ? 'You' : roleIn(parties, senderUserId)
}

interface MessageProps {
  message: ThreadMessage
  parties: CaseParties
  me: string | null
}

/** A long thread is left alone when a message comes at its end. */
const Message = memo(function Message({ message, parties, me }: MessageProps) {
  const { senderUserId, isSystemMessage, body, createdAt } = message
  if (isSystemMessage || senderUserId === null) {
    return (
      <div className="flex flex-wrap items-center justify-center gap-x-2 px-2 text-center text-secondary-foreground text-xs">
        <Flag aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 break-words">{visibleText(body)}</span>
        <span className="text-muted-foreground">
          <Timestamp value={createdAt} as="relative" />
        </span>
      </div>
    )
  }
  const role = roleIn(parties, senderUserId)
  const mine = isAmong(me, [senderUserId])
  const staff = mine || role === 'Arbitrator'
  return (
    <article className={cn('grid gap-1', staff ? 'justify-items-end' : 'justify-items-start')}>
      <header className="flex max-w-full flex-wrap items-baseline gap-x-2 text-xs">
        <strong className="font-semibold">{mine ? 'You' : role}</strong>
        {mine ? null : <Reference value={senderUserId} name="who wrote this" short className="text-muted-foreground" />}
        <span className="text-muted-foreground">
          <Timestamp value={createdAt} as="relative" />
        </span>
      </header>
      <Bubble staff={staff}>{visibleText(body)}</Bubble>
    </article>
  )
})

/** What somebody wrote, as it was written. */
export const Bubble = ({ staff, children }: { staff: boolean; children: ReactNode }) => (
  <p
    dir="auto"
    className={cn(
      'max-w-[min(38rem,92%)] whitespace-pre-wrap rounded-lg border px-3 py-2 [overflow-wrap:anywhere]',
      staff ? 'border-transparent bg-accent' : 'bg-card',
    )}
  >
    {children}
  </p>
)
