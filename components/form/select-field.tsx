import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { cn } from '#components/ui/cn.ts'
import { Field, FieldLabel } from '#components/ui/field.tsx'
import { fieldFrame } from '#components/ui/input.tsx'
import { FieldNote } from './text-field.tsx'

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id' | 'value' | 'defaultValue' | 'onChange'> & {
  label: string
  initial: string
  /** Also called for a choice made before hydration. */
  onChoose?: (value: string) => void
  help?: ReactNode
  fault?: string | null
}

export function SelectField({
  label,
  initial,
  onChoose,
  help,
  fault = null,
  className,
  children,
  ...select
}: SelectFieldProps) {
  const id = useId()
  const box = useRef<HTMLSelectElement>(null)
  const chosen = useEffectEvent((value: string) => onChoose?.(value))
  useEffect(() => {
    const value = box.current?.value ?? initial
    if (value !== initial) chosen(value)
  }, [initial])
  const noteId = `${id}-note`
  return (
    <Field className={className}>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <select
        ref={box}
        id={id}
        defaultValue={initial}
        onChange={(event) => onChoose?.(event.currentTarget.value)}
        aria-describedby={noteId}
        aria-invalid={fault !== null}
        className={cn(fieldFrame, 'min-h-8.5 w-full min-w-0')}
        {...select}
      >
        {children}
      </select>
      <FieldNote id={noteId} help={help} fault={fault} />
    </Field>
  )
}

export const Options = ({ choices }: { choices: readonly (readonly [value: string, word: string])[] }) =>
  choices.map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ))
