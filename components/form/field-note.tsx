import type { ReactNode } from 'react'
import { FieldDescription, FieldError } from '#components/ui/field.tsx'

interface FieldNoteProps {
  id: string
  help: ReactNode
  /** Replaces the help. */
  fault: string | null
}

export const FieldNote = ({ id, help, fault }: FieldNoteProps) =>
  fault === null ? <FieldDescription id={id}>{help}</FieldDescription> : <FieldError id={id}>{fault}</FieldError>

export const IgnoredNote = ({ what }: { what: string }) => (
  <p role="status" className="mt-1 text-muted-foreground text-xs">
    Ignored {what}.
  </p>
)
