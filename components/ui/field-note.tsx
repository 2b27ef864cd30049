import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface FieldNoteProps {
  id: string
  help: ReactNode
  /** What is wrong and what to do; replaces the help. */
  fault: string | null
}

/** What stands below a field: help, or what is wrong with what was typed. */
export const FieldNote = ({ id, help, fault }: FieldNoteProps) => (
  <p id={id} className={classes('mt-1 min-h-4 text-xs', fault === null ? 'text-ink-3' : 'text-danger')}>
    {fault === null ? (
      help
    ) : (
      <span className="flex gap-1.5">
        <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
        <span className="min-w-0 break-words">{fault}</span>
      </span>
    )}
  </p>
)
