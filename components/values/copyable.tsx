'use client'

import { type FocusEvent, type MouseEvent, type PointerEvent, type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '#components/ui/cn.ts'
import { Check } from '#components/ui/icons.tsx'
import { ignoreHeldEnter, useTabIndex } from '#components/ui/kbd.tsx'
import { formatBoth, type TimeFirst } from '#lib/values/time.ts'

interface CopyableProps {
  value: string
  /** Instead of `value`. */
  hint?: string | undefined
  /** If `value` is a time: which form of it the hint shows first, below `hint`. */
  timeFirst?: TimeFirst | undefined
  /** For screen readers, for example `copy the trace id`. */
  action: string
  /** For screen readers, when the visible text is split. */
  spoken?: string | undefined
  children: ReactNode
  className?: string
}

/** `HintLayer` copies on a click or the key `c`. */
export function Copyable({ value, hint, timeFirst, action, spoken, children, className }: CopyableProps) {
  const tabIndex = useTabIndex(true)
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      data-copy={value}
      data-hint={hint}
      data-time-first={timeFirst}
      aria-label={spoken === undefined ? undefined : `${spoken} ${action}`}
      className={cn('copyable', className)}
    >
      {children}
      <span className="sr-only select-none"> {action}</span>
    </button>
  )
}

export function CopyIcon({ value, action }: Pick<CopyableProps, 'value' | 'action'>) {
  const tabIndex = useTabIndex(true)
  return <button type="button" tabIndex={tabIndex} data-copy={value} aria-label={action} className="copy-icon" />
}

const COPIED_FOR_MS = 1_600
const copiedWords = { done: 'Copied', refused: 'Not copied: the browser does not allow it' }

interface Copied {
  readonly element: HTMLElement
  readonly how: keyof typeof copiedWords
}

const HINTED = '[data-hint], [data-copy], time[data-time-first]'

const hintedAt = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(HINTED) : null

/** One for the whole page, so that cells of long tables need no handlers or state. */
export function HintLayer({ children }: { children: ReactNode }) {
  const [pointed, setPointed] = useState<HTMLElement | null>(null)
  const [focused, setFocused] = useState<HTMLElement | null>(null)
  const [copied, setCopied] = useState<Copied | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const onPointerOver = ({ target }: PointerEvent) => {
    // The pointer may move onto the hint.
    if (target instanceof Element && target.closest('[role="tooltip"]') !== null) return
    setPointed(hintedAt(target))
  }
  // `onFocus` replaces the hint; removing it earlier would look like lost focus to a dialog.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null) setFocused(null)
  }
  const onClick = (event: MouseEvent) => {
    const element = hintedAt(event.target)
    const value = element?.dataset.copy
    if (element === null || value === undefined) return
    // The operator may be selecting text. A key press has `detail` 0.
    if (event.detail > 0 && window.getSelection()?.toString()) return
    navigator.clipboard.writeText(value).then(
      () => setCopied({ element, how: 'done' }),
      () => setCopied({ element, how: 'refused' }),
    )
  }
  const shown = copied?.element ?? pointed ?? focused
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of what happens to the buttons within it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button is a click of it.
    <div
      className="contents"
      onPointerOver={onPointerOver}
      // After a touch, the hint stays until the next one.
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setPointed(null)}
      onFocus={({ target }: FocusEvent) => setFocused(hintedAt(target))}
      onBlur={onBlur}
      onClick={onClick}
      onKeyDownCapture={ignoreHeldEnter}
    >
      {children}
      {shown === null || !shown.isConnected ? null : (
        <Shown key={keyOf(shown)} element={shown} copied={copied?.element === shown ? copied.how : null} />
      )}
    </div>
  )
}

const keys = new WeakMap<HTMLElement, string>()

/** Times are formatted here: a page has hundreds of them and shows one hint. */
function hintOf(element: HTMLElement): string {
  const { hint, copy, timeFirst } = element.dataset
  const time = copy ?? element.getAttribute('datetime') ?? ''
  if (timeFirst === undefined) return hint ?? time
  return [hint ?? [], formatBoth(time, timeFirst === 'utc' ? 'utc' : 'local'), time].flat().join('\n')
}

/** One key per element, so that React never moves a hint to another. */
function keyOf(element: HTMLElement): string {
  const key = keys.get(element) ?? crypto.randomUUID()
  keys.set(element, key)
  return key
}

/** A popover in the element's parent: a modal dialog leaves it alone, and a row with `content-visibility` does not clip it. */
function Shown({ element, copied }: { element: HTMLElement; copied: Copied['how'] | null }) {
  useEffect(() => {
    element.style.setProperty('anchor-name', '--hint')
    return () => void element.style.removeProperty('anchor-name')
  }, [element])
  if (element.parentElement === null) return null
  return createPortal(
    <span
      ref={(hint) => hint?.showPopover()}
      popover="manual"
      role="tooltip"
      className="hint z-50 m-1 w-max select-none max-w-80 rounded bg-foreground px-2 py-1 text-left font-normal font-sans text-background text-xs tracking-normal whitespace-normal"
    >
      <span aria-live="polite" className="flex items-start gap-1.5">
        {copied === 'done' ? <Check aria-hidden className="mt-px size-3.5 shrink-0" /> : null}
        <span className="wrap-anywhere min-w-0 whitespace-pre-line">
          {copied === null ? hintOf(element) : copiedWords[copied]}
        </span>
      </span>
    </span>,
    element.parentElement,
  )
}
