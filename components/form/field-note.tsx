import type { ReactNode } from 'react'
import { FieldDescription, FieldError } from '#components/ui/field.tsx'

interface FieldNoteProps {
  id: string
  help: ReactNode
  /** What is wrong and what to do; replaces the help. */
  fault: string | null
}

/** What stands below a field: help, or what is wrong with what was typed. */
export const FieldNote = ({ id, help, fault }: FieldNoteProps) =>
  fault === null ? <FieldDescription id={id}>{help}</FieldDescription> : <FieldError id={id}>{fault}</FieldError>

/** Says that a reference is taken without its invisible characters. */
export const IgnoredNote = ({ what }: { what: string }) => (
  <p role="status" className="mt-1 text-muted-foreground text-xs">
    Ignored {what}.
  </p>
)
