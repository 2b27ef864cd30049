import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react'
import { cn } from '#components/ui/cn.ts'
import { Field, FieldLabel } from '#components/ui/field.tsx'
import { fieldControl, fieldFrame } from '#components/ui/input.tsx'
import { invisibleWords, withoutInvisible } from '#lib/values/visible-text.ts'
import { FieldNote, IgnoredNote } from './field-note.tsx'
import { useInitialText } from './use-initial-text.ts'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'defaultValue' | 'onChange'> & {
  label: string
  /** A new initial text replaces the field's text. */
  initial?: string
  /** Also called for text typed before hydration. */
  onText?: (text: string) => void
  /** Ignores invisible characters and says so. */
  isReference?: boolean
  help?: ReactNode
  fault?: string | null
  suffix?: ReactNode
  mono?: boolean
  /** Use it on at most one field of a page. */
  takesFocus?: boolean
}

export function TextField({
  label,
  initial = '',
  onText,
  isReference = false,
  help,
  fault = null,
  suffix,
  mono = false,
  takesFocus = false,
  className,
  ...input
}: TextFieldProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [ignored, setIgnored] = useState(() => (isReference ? invisibleWords(initial) : null))
  const take = (text: string) => {
    if (isReference) setIgnored(invisibleWords(text))
    onText?.(isReference ? withoutInvisible(text) : text)
  }
  useInitialText(box, initial, take)
  const noteId = `${id}-note`
  return (
    <Field className={className}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <div className={cn(fieldFrame, 'flex min-h-8.5 items-center gap-2')}>
        <input
          ref={box}
          id={id}
          defaultValue={initial}
          onInput={(event) => take(event.currentTarget.value)}
          aria-describedby={noteId}
          aria-invalid={fault !== null}
          className={cn(fieldControl, 'min-w-0 flex-1 bg-transparent py-1', mono && 'mono')}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: on one field of a page at most, where the page is nothing without it.
          autoFocus={takesFocus}
          {...input}
        />
        {suffix}
      </div>
      <FieldNote id={noteId} help={help} fault={fault} />
      {ignored === null ? null : <IgnoredNote what={ignored} />}
    </Field>
  )
}
