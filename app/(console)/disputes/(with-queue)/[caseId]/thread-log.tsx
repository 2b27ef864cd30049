import {
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { seenInTab } from '#components/disputes/case-marks.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { useHydrated, useOffScreenReady } from '#components/ui/hydrated.tsx'
import { ArrowDown } from '#components/ui/icons.tsx'
import { ShortcutHint, TabStop } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { useClockText, useTimeFirst } from '#components/values/timestamp.tsx'
import type { CaseParties } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { formatCount } from '#lib/values/words.ts'
import { SearchField, searchLine } from './panes.tsx'
import { type ThreadItem, threadItems } from './thread-items.ts'
import { Message, type MessageProps } from './thread-message.tsx'
import {
  countAhead,
  type Opening,
  openingOf,
  type SeenThread,
  useLastPassed,
  useMarkSeen,
  useSentBelow,
  useUnseen,
} from './use-unseen.ts'

const ThreadSearch = onDemand(() => import('./thread-search.tsx').then((it) => it.ThreadSearch))

export interface ThreadLogProps {
  caseId: string
  messages: readonly ThreadMessage[]
  parties: CaseParties
  /** The operator's own id at the service; null when the console does not know it. */
  me: string | null
  seen: SeenThread | null
  unreadUpTo: string
  lastPassed: RefObject<ThreadMessage | null>
  outgoing: number
  reason: ReactNode
  head: ReactNode
  children: ReactNode
}

export function ThreadLog(props: ThreadLogProps) {
  const { caseId, messages, parties, me, seen, unreadUpTo, lastPassed, outgoing, reason, head, children } = props
  const [{ upTo, opening }] = useState(() => {
    const known = seen === null ? null : { upTo: laterOf(seen.upTo, seenInTab(caseId)) }
    return { upTo: known?.upTo ?? null, opening: openingOf(messages, me, known) }
  })
  const isWhole = useOffScreenReady()
  const { box, atEnd, onScroll, toEnd } = useReadersPlace(opening, isWhole)
  const [sought, setSought] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { firstNew, missed, spoken } = useUnseen(messages, parties, me, atEnd)
  const passed = useLastPassed(box, messages)
  useEffect(() => {
    lastPassed.current = passed
  }, [lastPassed, passed])
  useMarkSeen({ caseId, passed, unreadUpTo }, box)
  const sent = useSentBelow(messages, me, atEnd)
  const ahead = Math.max(missed, seen === null ? 0 : countAhead(messages, me, { upTo, passed }))
  useMore(outgoing, () => ahead === 0 && toEnd())
  const newFrom = firstNew ?? (opening.at === 'unread' ? opening.id : null)
  const timeFirst = useTimeFirst()
  const hydrated = useHydrated()
  const zone = hydrated && timeFirst === 'local' ? undefined : 'UTC'

  const thisYear = useClockText((nowMs) => String(new Date(nowMs).getFullYear()))

  const items = useMemo(() => threadItems(messages, newFrom, zone, thisYear), [messages, newFrom, zone, thisYear])

  const closeSearch = () => {
    setSought(null)
    opener.current?.focus()
  }
  const jump = () => {
    toEnd()
    // The button disappears once the reader is at the end, so it cannot keep the focus.
    box.current?.focus({ preventScroll: true })
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-start short:items-center justify-between gap-2 border-b px-4 py-2 short:py-0.5 sm:px-6">
        {reason}
        <Button ref={opener} variant="ghost" size="sm" data-search aria-keyshortcuts="F" onClick={() => setSought('')}>
          Search
          <ShortcutHint of="F" />
        </Button>
      </div>
      {sought === null ? null : (
        <Suspense
          fallback={
            <div className={searchLine}>
              <SearchField value={sought} onChange={({ currentTarget: { value } }) => setSought(value)} />
            </div>
          }
        >
          <ThreadSearch text={sought} onText={setSought} log={box} messages={messages} onClose={closeSearch} />
        </Suspense>
      )}
      <section
        ref={box}
        id="thread"
        onScroll={onScroll}
        aria-label="Thread"
        data-thread
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-offset-[-2px]"
      >
        <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-4 short:py-2 sm:px-6">
          {head}
          <TabStop value="row">
            <Items items={isWhole ? items : itemsAt(opening, items)} parties={parties} me={me} />
          </TabStop>
          {children}
        </div>
      </section>
      <p aria-live="polite" className="sr-only">
        <span key={spoken.id}>{spoken.words}</span>
      </p>
      {atEnd ? null : (
        <Button variant="outline" className="absolute right-4 bottom-3 shadow-[var(--lift)]" onClick={jump}>
          <ArrowDown aria-hidden />
          Jump to latest
          {ahead === 0 ? null : <Count words={`${formatCount(ahead)} new`} />}
          {outgoing === 0 ? null : <Count words={`${outgoing} outgoing`} />}
          {sent === 0 ? null : <Count words={`${sent} sent`} />}
        </Button>
      )}
    </div>
  )
}

/** Pixels of a screen, head and composer included, per item. */
const SCREEN_PER_ITEM = 75
const ITEMS_ABOVE_UNREAD = 4

/** What is rendered first: the part of a long thread where reading begins. */
export function itemsAt({ at }: Opening, items: readonly ThreadItem[]): readonly ThreadItem[] {
  const shown = Math.ceil(window.innerHeight / SCREEN_PER_ITEM)
  if (at === 'end') return items.slice(-shown)
  const from = Math.max(0, items.findIndex(({ kind }) => kind === 'new') - ITEMS_ABOVE_UNREAD)
  return items.slice(from, from + shown)
}

const Count = ({ words }: { words: string }) => (
  <Badge variant="working" className="figures">
    {words}
  </Badge>
)

function useMore(count: number, onMore: () => void): void {
  const before = useRef(count)
  const more = useEffectEvent(onMore)
  useEffect(() => {
    if (count > before.current) more()
    before.current = count
  }, [count])
}

interface ItemsProps extends Pick<ThreadLogProps, 'parties' | 'me'> {
  items: readonly ThreadItem[]
}

/** Memoized, so that scrolling, counting and announcements do not render the items again. */
const Items = memo(function Items({ items, parties, me }: ItemsProps) {
  return (
    <ol>
      {items.map((item) =>
        item.kind === 'message' ? (
          <MessageRow key={item.key} message={item.message} follows={item.follows} parties={parties} me={me} />
        ) : (
          <li key={item.key} className={APART} data-new={item.kind === 'new' ? '' : undefined}>
            {item.kind === 'day' ? <Rule>{item.day}</Rule> : <Rule marked>New</Rule>}
          </li>
        ),
      )}
    </ol>
  )
})

const APART = 'pt-3 short:pt-1.5 first:pt-0'

/** Skipped content is clipped: there is room for the focus ring around it. */
const MESSAGE_ROW = 'skip-unseen [contain-intrinsic-block-size:auto_4.5rem] -mx-1 -mb-1 px-1 pb-1'

/** Memoized, so that a new message does not render a long thread again. */
const MessageRow = memo(function MessageRow(props: MessageProps) {
  return (
    <li className={cn(MESSAGE_ROW, props.follows ? 'pt-1 short:pt-0.5' : APART)}>
      <Message {...props} />
    </li>
  )
})

const Rule = ({ marked = false, children }: { marked?: boolean; children: ReactNode }) => (
  <div
    className={cn(
      'flex items-center gap-4 py-1 short:py-0 text-xs before:h-px before:flex-1 after:h-px after:flex-1',
      marked
        ? 'font-semibold text-primary before:bg-primary after:bg-primary'
        : 'text-muted-foreground before:bg-border after:bg-border',
    )}
  >
    {children}
  </div>
)

/** A reader within this distance of the end counts as being at the end. */
const AT_END_PX = 48

interface ReadersPlace {
  readonly box: RefObject<HTMLElement | null>
  readonly atEnd: boolean
  onScroll(): void
  toEnd(): void
}

/** Leaves the line above in view. */
const ABOVE_UNREAD_PX = 48

const laterOf = (one: string | null, other: string): string | null => ((one ?? '') < other ? other : one)

/** Opens where reading begins. When heights change, a reader at the end stays there, others at the same text. */
function useReadersPlace({ at }: Opening, isWhole: boolean): ReadersPlace {
  const box = useRef<HTMLElement>(null)
  const seen = useRef({ atEnd: at === 'end', scrollTop: 0, top: 0, isOpened: at === 'end' })
  const [atEnd, setAtEnd] = useState(true)

  useLayoutEffect(() => {
    const around = box.current
    if (around === null) return
    const open = () => {
      const line = at === 'unread' ? around.querySelector('[data-new]') : null
      if (line !== null) {
        around.scrollTop += line.getBoundingClientRect().top - around.getBoundingClientRect().top - ABOVE_UNREAD_PX
      }
      const near = around.scrollHeight - around.scrollTop - around.clientHeight < AT_END_PX
      seen.current = { ...seen.current, atEnd: near, scrollTop: around.scrollTop, isOpened: isWhole }
      setAtEnd(near)
    }
    // The browser calls this between layout and paint, so no wrong position is painted.
    const observer = new ResizeObserver(() => {
      // The thread has no height while another tab of the case is shown.
      if (around.clientHeight === 0) return
      const top = around.getBoundingClientRect().top + window.scrollY
      if (!seen.current.isOpened) open()
      else if (seen.current.atEnd) around.scrollTop = around.scrollHeight
      else around.scrollTop += top - seen.current.top
      seen.current.top = top
    })
    for (const element of [around, ...around.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [at, isWhole])

  const onScroll = () => {
    if (box.current === null) return
    const { scrollHeight, scrollTop, clientHeight } = box.current
    const near = scrollHeight - scrollTop - clientHeight < AT_END_PX
    // New content also increases the distance to the end, so only scrolling up counts as leaving it.
    if (near || scrollTop < seen.current.scrollTop) {
      seen.current.atEnd = near
      setAtEnd(near)
    }
    seen.current.scrollTop = scrollTop
  }
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  return { box, atEnd, onScroll, toEnd }
}
