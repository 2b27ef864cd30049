import Link from 'next/link'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { askConsole, problemIn } from '#components/service/ask-console.ts'
import { cn } from '#components/ui/cn.ts'
import type { Problem } from '#lib/contract/problem.ts'
import {
  type Filled,
  fillSnippet,
  type Snippet,
  type SnippetValues,
  snippetsFor,
} from '#lib/disputes/snippets/snippet.ts'
import { peopleLike } from '#lib/disputes/workspace/mention.ts'
import { awayWords, type Colleague } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { shortId } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted } from '#lib/values/words.ts'

const SHOWN_MAX = 8

export type ReadSnippets =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly snippets: readonly Snippet[] }
  | { readonly kind: 'problem'; readonly problem: Problem }

interface OpenedAt {
  field: HTMLTextAreaElement
  at: number
  onClose: () => void
}

export function SnippetList({ values, ...opened }: OpenedAt & { values: SnippetValues }) {
  const read = useSnippets()
  const optionsFor = (typed: string) =>
    read.kind !== 'read'
      ? null
      : snippetsFor(read.snippets, typed).map(({ id, name, text }) => ({
          ...{ key: id, title: name, detail: text },
          filled: () => fillSnippet(text, values),
        }))
  return (
    <CaretList
      {...opened}
      label="Snippets"
      optionsFor={optionsFor}
      status={(found) => statusWords(read, found)}
      link={
        // Mouse down would blur the field and close the list before the click.
        <Link href="/disputes/snippets" prefetch={false} tabIndex={-1} onMouseDown={(event) => event.preventDefault()}>
          Snippets
        </Link>
      }
    />
  )
}

interface MentionListProps extends OpenedAt {
  people: readonly Colleague[]
  onChoose: (person: Colleague) => void
}

export function MentionList({ people, onChoose, ...opened }: MentionListProps) {
  const optionsFor = (typed: string) =>
    peopleLike(people, typed).map((person) => ({
      ...{ key: person.actor, title: person.name, detail: aboutPerson(person, people) },
      filled() {
        onChoose(person)
        return { text: `@${person.name} `, gap: null }
      },
    }))
  return <CaretList {...opened} label="Colleagues" optionsFor={optionsFor} status={colleagueWords} link={null} />
}

function aboutPerson({ actor, name, awayUntil }: Colleague, people: readonly Colleague[]): string {
  const isAlone = people.every((other) => other.actor === actor || other.name !== name)
  return [isAlone ? [] : shortId(actor.replace(/^sso:/, '')), awayUntil === null ? [] : awayWords(awayUntil)]
    .flat()
    .join(', ')
}

const colleagueWords = (found: number): string => (found === 0 ? 'No colleague matches.' : counted(found, 'colleague'))

interface ListOption {
  readonly key: string
  readonly title: string
  readonly detail: string
  filled(): Filled
}

interface CaretListProps extends OpenedAt {
  label: string
  optionsFor: (typed: string) => readonly ListOption[] | null
  status: (found: number) => string
  link: ReactNode
}

/** Enter and Tab replace the sign and the text after it; Esc leaves the text unchanged. */
function CaretList({ field, at, label, optionsFor, status, link, onClose }: CaretListProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [sign] = useState(() => field.value[at] ?? '')
  // Includes text typed while this component was loading.
  const [typed, setTyped] = useState(() => typedAfter(field, at, sign) ?? '')
  const [chosen, setChosen] = useState(0)
  const found = (optionsFor(typed) ?? []).slice(0, SHOWN_MAX)
  const insert = (option: ListOption) => {
    onClose()
    put(field, at, option.filled())
  }
  const follow = () => {
    const now = typedAfter(field, at, sign)
    // No option matches, so the sign is part of the text.
    const isOver = now !== null && /\s/.test(now) && optionsFor(now)?.length === 0
    if (now === null || document.activeElement !== field || isOver) return onClose()
    if (now !== typed) setChosen(0)
    setTyped(now)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return onClose()
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const option = found[chosen]
    const inserts = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey
    if (event.key === 'Escape') onClose()
    else if (step !== undefined && found.length > 0) setChosen((chosen + step + found.length) % found.length)
    else if (inserts && option !== undefined) insert(option)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  useFieldEvents(field, follow, onKey)
  useShownAt(list, field)
  useFieldRole(field, id, found[chosen] === undefined ? null : `${id}-${chosen}`)
  return (
    <div
      ref={list}
      popover="manual"
      className="inset-auto m-0 my-1 w-80 max-w-[calc(100vw-2rem)] rounded-lg border bg-card p-1 text-foreground text-sm shadow-[var(--lift)] [position-anchor:--snippets] [position-area:top_span-right] [position-try-fallbacks:flip-block,flip-inline]"
    >
      <ListOptions id={id} label={label} found={found} chosen={chosen} onChoose={insert} />
      <p role="status" className="px-2 py-1 text-muted-foreground text-xs empty:hidden">
        {status(found.length)}
      </p>
      <p className="flex justify-between gap-2 border-t px-2 pt-1.5 pb-1 text-muted-foreground text-xs">
        <span>↑ ↓ choose, Enter inserts, Esc closes</span>
        {link}
      </p>
    </div>
  )
}

interface ListOptionsProps {
  id: string
  label: string
  found: readonly ListOption[]
  chosen: number
  onChoose: (option: ListOption) => void
}

export const ListOptions = ({ id, label, found, chosen, onChoose }: ListOptionsProps) => (
  <div role="listbox" id={id} aria-label={label}>
    {found.map((option, at) => (
      // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the field, which has the keys.
      <div
        key={option.key}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === chosen}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(option)}
        className={cn('cursor-pointer rounded px-2 py-1', at === chosen ? 'bg-accent' : 'hover:bg-muted')}
      >
        <span className="block truncate font-[550]">{visibleText(option.title)}</span>
        <span className="block truncate text-secondary-foreground text-xs empty:hidden">
          {visibleText(option.detail)}
        </span>
      </div>
    ))}
  </div>
)

export function statusWords(read: ReadSnippets, found: number): string {
  if (read.kind === 'reading') return 'Reading the snippets'
  if (read.kind === 'problem') return `The snippets could not be read. ${problemWords(read.problem).title}.`
  if (read.snippets.length === 0) return 'No snippets yet. Add one under Snippets.'
  if (found === 0) return 'No snippets match.'
  return counted(found, 'snippet')
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

/** Null when the sign is gone or the caret has left it. */
function typedAfter(
  { value, selectionStart, selectionEnd }: HTMLTextAreaElement,
  at: number,
  sign: string,
): string | null {
  if (value[at] !== sign || selectionStart <= at || selectionStart !== selectionEnd) return null
  const typed = value.slice(at + 1, selectionStart)
  return typed.includes('\n') ? null : typed
}

/** `input` informs the field's listeners. */
function put(field: HTMLTextAreaElement, at: number, { text, gap }: Filled): void {
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
function useFieldRole(field: HTMLTextAreaElement, id: string, option: string | null): void {
  useEffect(() => {
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-haspopup', 'listbox')
    field.setAttribute('aria-controls', id)
    if (option === null) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', option)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-haspopup', 'aria-controls', 'aria-activedescendant'])
        field.removeAttribute(name)
    }
  }, [field, id, option])
}
