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
