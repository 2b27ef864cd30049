import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '#components/ui/cn.ts'
import { Field, FieldDescription, FieldError, FieldLabel } from '#components/ui/field.tsx'
import { fieldControl, fieldFrame } from '#components/ui/input.tsx'
import { ShortcutHint } from '#components/ui/kbd.tsx'
import { Textarea } from '#components/ui/textarea.tsx'
import { cleanReference, invisibleWords, withoutInvisible } from '#lib/values/text.ts'

interface FieldProps {
  label: string
  /** A new initial text replaces the field's text. */
  initial?: string
  /** Also called for text typed before hydration. */
  onText?: (text: string) => void
  help?: ReactNode
  fault?: string | null
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'defaultValue' | 'onChange'> &
  FieldProps & {
    /** Ignores invisible characters and says so. */
    isReference?: boolean
    suffix?: ReactNode
    mono?: boolean
    /** Use it on at most one field of a page. */
    takesFocus?: boolean
    box?: RefObject<HTMLInputElement | null>
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
  box: given,
  className,
  ...input
}: TextFieldProps) {
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  const box = given ?? own
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

export const FieldNote = ({ id, help, fault }: { id: string; help: ReactNode; fault: string | null }) =>
  fault === null ? <FieldDescription id={id}>{help}</FieldDescription> : <FieldError id={id}>{fault}</FieldError>

export const IgnoredNote = ({ what }: { what: string }) => (
  <p role="status" className="mt-1 text-muted-foreground text-xs">
    Ignored {what}.
  </p>
)

/** During hydration, the field can hold text that no component knows yet. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name)
  return typeof text === 'string' ? text : ''
}

/** Without invisible characters. */
export const fieldReference = (form: HTMLFormElement, name: string): string => cleanReference(fieldText(form, name))

/** Reports text typed before hydration, and replaces the text when `initial` changes. */
export function useInitialText(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  initial: string,
  onText: ((text: string) => void) | undefined,
): void {
  const changed = useEffectEvent((text: string) => onText?.(text))
  const given = useRef(initial)
  useEffect(() => {
    const shown = field.current
    if (shown === null) return
    if (given.current !== initial) shown.value = initial
    else if (shown.value === initial) return
    given.current = initial
    changed(shown.value)
  }, [field, initial])
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'value' | 'defaultValue' | 'onChange' | 'ref'> &
  FieldProps & {
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
