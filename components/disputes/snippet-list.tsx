import Link from 'next/link'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { cn } from '#components/ui/cn.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { fillSnippet, type Snippet, type SnippetValues, snippetsFor } from '#lib/disputes/snippets/snippet.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'

const SHOWN_MAX = 8

export type ReadSnippets =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly snippets: readonly Snippet[] }
  | { readonly kind: 'problem'; readonly problem: Problem }

interface SnippetListProps {
  field: HTMLTextAreaElement
  /** Index of the slash. */
  at: number
  values: SnippetValues
  onClose: () => void
}

/** Enter replaces the slash and the text after it; Esc leaves the text unchanged. */
export function SnippetList({ field, at, values, onClose }: SnippetListProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const read = useSnippets()
  // Includes text typed while this component was loading.
  const [typed, setTyped] = useState(() => typedAfter(field, at) ?? '')
  const [chosen, setChosen] = useState(0)
  const found = read.kind === 'read' ? snippetsFor(read.snippets, typed).slice(0, SHOWN_MAX) : []
  const insert = (snippet: Snippet) => {
    onClose()
    put(field, at, fillSnippet(snippet.text, values))
  }
  const follow = () => {
    const now = typedAfter(field, at)
    const none = read.kind === 'read' && now !== null && snippetsFor(read.snippets, now).length === 0
    // No snippet matches, so the slash is part of the text.
    if (now === null || document.activeElement !== field || (none && /\s/.test(now))) return onClose()
    if (now !== typed) setChosen(0)
    setTyped(now)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const snippet = found[chosen]
    if (event.key === 'Escape') onClose()
    else if (step !== undefined && found.length > 0) setChosen((chosen + step + found.length) % found.length)
    else if (event.key === 'Enter' && !event.shiftKey && snippet !== undefined) insert(snippet)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  useFieldEvents(field, follow, onKey)
  useShownAt(list, field)
  const option = found[chosen] === undefined ? null : `${id}-${chosen}`
  useClockText(field, id, option)
  return (
    <div
      ref={list}
      popover="manual"
      className="inset-auto m-0 my-1 w-80 max-w-[calc(100vw-2rem)] rounded-lg border bg-card p-1 text-foreground text-sm shadow-[var(--lift)] [position-anchor:--snippets] [position-area:top_span-right] [position-try-fallbacks:flip-block,flip-inline]"
    >
      <SnippetOptions id={id} found={found} chosen={chosen} onChoose={insert} />
      <p role="status" className="px-2 py-1 text-muted-foreground text-xs empty:hidden">
        {statusWords(read, found.length)}
      </p>
      <p className="flex justify-between gap-2 border-t px-2 pt-1.5 pb-1 text-muted-foreground text-xs">
        <span>↑ ↓ choose, Enter inserts, Esc closes</span>
        {/* Mouse down would blur the field and close the list before the click. */}
        <Link href="/disputes/snippets" prefetch={false} tabIndex={-1} onMouseDown={(event) => event.preventDefault()}>
          Snippets
        </Link>
      </p>
    </div>
  )
}

interface SnippetOptionsProps {
  id: string
  found: readonly Snippet[]
  chosen: number
  onChoose: (snippet: Snippet) => void
}

export const SnippetOptions = ({ id, found, chosen, onChoose }: SnippetOptionsProps) => (
  <div role="listbox" id={id} aria-label="Snippets">
    {found.map((snippet, at) => (
      // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the field, which has the keys.
      <div
        key={snippet.id}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === chosen}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(snippet)}
        className={cn('cursor-pointer rounded px-2 py-1', at === chosen ? 'bg-accent' : 'hover:bg-muted')}
      >
        <span className="block truncate font-[550]">{visibleText(snippet.name)}</span>
        <span className="block truncate text-secondary-foreground text-xs">{visibleText(snippet.text)}</span>
      </div>
    ))}
  </div>
)

export function statusWords(read: ReadSnippets, found: number): string {
  if (read.kind === 'reading') return 'Reading the snippets'
  if (read.kind === 'problem') return `The snippets could not be read. ${problemWords(read.problem).title}.`
  if (read.snippets.length === 0) return 'No snippets yet. Add one under Snippets.'
  if (found === 0) return 'No snippets match.'
  return found === 1 ? '1 snippet' : `${found} snippets`
}

function useSnippets(): ReadSnippets {
  const [read, setRead] = useState<ReadSnippets>({ kind: 'reading' })
  useEffect(() => {
    let left = false
    void askConsole('/api/disputes/snippets').then((answer) => {
      if (left) return
      if (answer?.status !== 200) return setRead({ kind: 'problem', problem: problemIn(answer) })
      setRead({ kind: 'read', snippets: (answer.body as { snippets: readonly Snippet[] }).snippets })
    })
    return () => {
      left = true
    }
  }, [])
  return read
}

/** Null when the slash is gone or the caret has left it. */
function typedAfter({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, at: number): string | null {
  if (value[at] !== '/' || selectionStart <= at || selectionStart !== selectionEnd) return null
  const typed = value.slice(at + 1, selectionStart)
  return typed.includes('\n') ? null : typed
}

/** `input` informs the field's listeners. */
function put(field: HTMLTextAreaElement, at: number, { text, gap }: ReturnType<typeof fillSnippet>): void {
  field.setRangeText(text, at, field.selectionEnd, 'end')
  if (gap !== null) field.setSelectionRange(at + gap[0], at + gap[1])
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.focus()
}

function useFieldEvents(field: HTMLTextAreaElement, follow: () => void, onKey: (event: KeyboardEvent) => void): void {
  const key = useEffectEvent(onKey)
  const move = useEffectEvent(follow)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => key(event)
    const moved = () => move()
    field.addEventListener('keydown', pressed)
    field.addEventListener('input', moved)
    field.addEventListener('blur', moved)
    document.addEventListener('selectionchange', moved)
    return () => {
      field.removeEventListener('keydown', pressed)
      field.removeEventListener('input', moved)
      field.removeEventListener('blur', moved)
      document.removeEventListener('selectionchange', moved)
    }
  }, [field])
}

function useShownAt(list: RefObject<HTMLDivElement | null>, field: HTMLTextAreaElement): void {
  useEffect(() => {
    field.style.setProperty('anchor-name', '--snippets')
    list.current?.showPopover()
    return () => {
      field.style.removeProperty('anchor-name')
    }
  }, [list, field])
}

/** For screen readers, while the field has the focus. */
function useClockText(field: HTMLTextAreaElement, id: string, option: string | null): void {
  useEffect(() => {
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-controls', id)
    if (option === null) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', option)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) field.removeAttribute(name)
    }
  }, [field, id, option])
}
