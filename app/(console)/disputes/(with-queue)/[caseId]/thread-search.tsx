import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ChevronDown, ChevronUp, X } from '#components/ui/icons.tsx'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { SearchField, searchLine } from './panes.tsx'
import { findMatches } from './thread-items.ts'

interface ThreadSearchProps {
  text: string
  onText: (text: string) => void
  /** The scrolling thread. Searchable text is marked with `data-said`. */
  log: RefObject<HTMLElement | null>
  messages: readonly ThreadMessage[]
  onClose: () => void
}

/** New messages do not scroll the thread while a search is open. */
export function ThreadSearch({ text, onText, log, messages, onClose }: ThreadSearchProps) {
  const [wanted, setWanted] = useState({ text, at: 0 })
  const [count, setCount] = useState(0)
  const hits = useRef<readonly Range[]>([])
  const current = count === 0 ? 0 : ((wanted.at % count) + count) % count
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read from the page is what these have put there.
  useEffect(() => {
    hits.current = rangesOf(log.current, wanted.text)
    setCount(hits.current.length)
    mark(hits.current, current)
  }, [log, wanted.text, messages, current])
  useEffect(() => () => mark([], 0), [])
  useEffect(() => {
    const hit = wanted.text === '' ? undefined : hits.current.at(wanted.at % (hits.current.length || 1))
    const shown = log.current
    if (hit === undefined || shown === null) return
    bringIntoView(hit, shown)
    // Messages that come into view only now may be higher than was assumed.
    const frame = requestAnimationFrame(() => bringIntoView(hit, shown))
    return () => cancelAnimationFrame(frame)
  }, [log, wanted])
  const step = (by: number) => setWanted(({ text }) => ({ text, at: current + by }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    if (event.key === 'Escape') onClose()
    else step(event.shiftKey ? -1 : 1)
  }
  return (
    <search className={searchLine}>
      <SearchField
        value={text}
        onChange={({ currentTarget: { value } }) => {
          onText(value)
          setWanted({ text: value, at: 0 })
        }}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="figures min-w-14 text-center text-secondary-foreground text-xs">
        {countWords(wanted.text, count, current)}
      </span>
      <IconButton label="Previous match" disabled={count === 0} onClick={() => step(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next match" disabled={count === 0} onClick={() => step(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <IconButton label="Close the search" onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </search>
  )
}

interface IconButtonProps {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

const IconButton = ({ label, children, ...rest }: IconButtonProps) => (
  <Button variant="ghost" size="icon" aria-label={label} {...rest}>
    {children}
  </Button>
)

function countWords(text: string, count: number, current: number): string {
  if (text.trim() === '') return ''
  return count === 0 ? 'no matches' : `${current + 1} of ${count}`
}

const rangesOf = (log: HTMLElement | null, text: string): readonly Range[] =>
  [...(log?.querySelectorAll('[data-said]') ?? [])].flatMap(({ firstChild }) =>
    firstChild === null
      ? []
      : findMatches(firstChild.textContent ?? '', text).map(([from, to]) => {
          const range = document.createRange()
          range.setStart(firstChild, from)
          range.setEnd(firstChild, to)
          return range
        }),
  )

/** Uses the CSS Custom Highlight API, so the messages' DOM stays unchanged. */
function mark(hits: readonly Range[], current: number): void {
  if (!('highlights' in CSS)) return
  const now = hits[current]
  CSS.highlights.set('hit', new Highlight(...hits))
  const above = new Highlight(...(now === undefined ? [] : [now]))
  above.priority = 1
  CSS.highlights.set('current-hit', above)
}

function bringIntoView(hit: Range, log: HTMLElement): void {
  const [of, around] = [hit.getBoundingClientRect(), log.getBoundingClientRect()]
  log.scrollBy({ top: of.top + of.height / 2 - (around.top + around.height / 2) })
}
