'use client'

import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { classes } from './classes.ts'
import { FieldNote } from './field-note.tsx'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'defaultValue' | 'onChange'> & {
  label: string
  /** What stands in it at first. Afterwards the field itself holds its text; a new `key` starts it over. */
  initial?: string
  /** Told every change, and at once what was typed before the page came alive. */
  onText?: (text: string) => void
  /** Below the field, when nothing is wrong. */
  help?: ReactNode
  /** What is wrong and what to do; replaces the help. */
  fault?: string | null
  /** Inside the field, at its right end. */
  suffix?: ReactNode
  mono?: boolean
}

/** A labelled text field: label above, help below, and what is wrong in place of the help. */
export function Field({
  label,
  initial = '',
  onText,
  help,
  fault = null,
  suffix,
  mono = false,
  className,
  ...input
}: FieldProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const changed = useEffectEvent((text: string) => onText?.(text))
  useEffect(() => {
    const typed = box.current?.value ?? ''
    if (typed !== initial) changed(typed)
  }, [initial])
  const noteId = `${id}-note`
  return (
    <div className={classes('min-w-0', className)}>
      <label htmlFor={id} className="mb-1 block font-[550] text-sm">
        {label}
      </label>
      <div
        className={classes(
          'flex min-h-8.5 items-center gap-2 rounded-md border px-2.5 transition-shadow focus-within:border-accent focus-within:shadow-[0_0_0_3px_color-mix(in_oklab,var(--accent)_22%,transparent)]',
          fault === null ? 'border-line-strong' : 'border-danger',
          input.disabled ? 'bg-sunken' : 'bg-surface',
        )}
      >
        <input
          ref={box}
          id={id}
          defaultValue={initial}
          onInput={(event) => onText?.(event.currentTarget.value)}
          aria-describedby={noteId}
          aria-invalid={fault !== null}
          className={classes(
            'min-w-0 flex-1 bg-transparent py-1 outline-none placeholder:text-ink-3 disabled:text-ink-2',
            mono && 'mono',
          )}
          autoComplete="off"
          spellCheck={false}
          {...input}
        />
        {suffix}
      </div>
      <FieldNote id={noteId} help={help} fault={fault} />
    </div>
  )
}
