import { type ComponentProps, type ReactNode, type RefObject, useId, useRef } from 'react'
import { Field, FieldLabel } from '#components/ui/field.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { Textarea } from '#components/ui/textarea.tsx'
import { FieldNote } from './field-note.tsx'
import { useInitialText } from './use-initial-text.ts'

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'value' | 'defaultValue' | 'onChange' | 'ref'> & {
  label: string
  /** What stands in it at first. Afterwards it holds its own text; another one takes its place. */
  initial?: string
  /** Told every change, and at once what was typed before the page came alive. */
  onText?: (text: string) => void
  help?: ReactNode
  /** What is wrong and what to do; replaces the help. */
  fault?: string | null
  box?: RefObject<HTMLTextAreaElement | null>
  /** Is as high as its text, from three lines to a quarter of the screen; on a low screen one line while it has no focus. */
  grows?: boolean
  /** The key that leads here from elsewhere on the page. */
  shortcut?: string
}

// It shrinks a moment after it is left: what is clicked then must not move away from under the pointer.
const growing =
  'field-sizing-content max-h-[25dvh] min-h-18 short:not-focus:max-h-8.5 short:not-focus:min-h-8.5 short:not-focus:[transition:min-height_0s_0.3s,max-height_0s_0.3s]'

/** A labelled field of several lines. */
export function TextAreaField({
  label,
  initial = '',
  onText,
  help,
  fault = null,
  box,
  grows = false,
  shortcut,
  className,
  ...textarea
}: TextAreaFieldProps) {
  const id = useId()
  const own = useRef<HTMLTextAreaElement>(null)
  const ref = box ?? own
  useInitialText(ref, initial, onText)
  const noteId = `${id}-note`
  return (
    <Field className={className}>
      <FieldLabel htmlFor={id}>
        {label}
        {shortcut === undefined ? null : (
          <span className="ml-1.5">
            <ShortcutHint of={shortcut} />
          </span>
        )}
      </FieldLabel>
      <Textarea
        ref={ref}
        id={id}
        rows={3}
        defaultValue={initial}
        onInput={(event) => onText?.(event.currentTarget.value)}
        aria-describedby={noteId}
        aria-invalid={fault !== null}
        aria-keyshortcuts={shortcut}
        autoComplete="off"
        className={grows ? growing : undefined}
        {...textarea}
      />
      <FieldNote id={noteId} help={help} fault={fault} />
    </Field>
  )
}
