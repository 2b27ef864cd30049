'use client'

import { type ComponentProps, type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef } from 'react'
import { classes } from './classes.ts'
import { FieldNote } from './field-note.tsx'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id' | 'value' | 'defaultValue' | 'onChange' | 'ref'> & {
  label: string
  /** What stands in it at first. Afterwards it holds its own text; a new `key` starts it over. */
  initial?: string
  /** Told every change, and at once what was typed before the page came alive. */
  onText?: (text: string) => void
  help?: ReactNode
  /** What is wrong and what to do; replaces the help. */
  fault?: string | null
  box?: RefObject<HTMLTextAreaElement | null>
}

/** A labelled field of several lines. */
export function TextArea({
  label,
  initial = '',
  onText,
  help,
  fault = null,
  box,
  className,
  ...textarea
}: TextAreaProps) {
  const id = useId()
  const own = useRef<HTMLTextAreaElement>(null)
  const ref = box ?? own
  const changed = useEffectEvent((text: string) => onText?.(text))
  useEffect(() => {
    const typed = ref.current?.value ?? ''
    if (typed !== initial) changed(typed)
  }, [ref, initial])
  const noteId = `${id}-note`
  return (
    <div className={classes('min-w-0', className)}>
      <label htmlFor={id} className="mb-1 block font-[550] text-sm">
        {label}
      </label>
      <textarea
        ref={ref}
        id={id}
        rows={3}
        defaultValue={initial}
        onInput={(event) => onText?.(event.currentTarget.value)}
        aria-describedby={noteId}
        aria-invalid={fault !== null}
        autoComplete="off"
        className={classes(
          'block w-full resize-y rounded-md border px-2.5 py-1.5 transition-shadow placeholder:text-ink-3 focus:border-accent focus:shadow-[0_0_0_3px_color-mix(in_oklab,var(--accent)_22%,transparent)] focus:outline-none disabled:text-ink-2',
          fault === null ? 'border-line-strong' : 'border-danger',
          textarea.disabled ? 'bg-sunken' : 'bg-surface',
        )}
        {...textarea}
      />
      <FieldNote id={noteId} help={help} fault={fault} />
    </div>
  )
}
