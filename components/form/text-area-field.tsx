import { type ComponentProps, type ReactNode, type RefObject, useId, useRef } from 'react'
import { Field, FieldLabel } from '#components/ui/field.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { Textarea } from '#components/ui/textarea.tsx'
import { FieldNote } from './field-note.tsx'
import { useInitialText } from './use-initial-text.ts'

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'value' | 'defaultValue' | 'onChange' | 'ref'> & {
  label: string
  /** A new initial text replaces the field's text. */
  initial?: string
  /** Also called for text typed before hydration. */
  onText?: (text: string) => void
  help?: ReactNode
  fault?: string | null
  box?: RefObject<HTMLTextAreaElement | null>
  /** Grows from three lines to a quarter of the screen; on a low screen, one line without focus. */
  grows?: boolean
  shortcut?: string
}

// Shrinks 0.3 s after blur, so that the button being clicked does not move away.
const growing =
  'field-sizing-content max-h-[25dvh] min-h-18 short:not-focus:max-h-8.5 short:not-focus:min-h-8.5 short:not-focus:[transition:min-height_0s_0.3s,max-height_0s_0.3s]'

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
