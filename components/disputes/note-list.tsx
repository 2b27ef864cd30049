import { Timestamp } from '#components/domain/timestamp.tsx'
import type { CaseNote } from '#lib/domain/case-desk.ts'
import { visibleText } from '#lib/domain/visible-text.ts'

interface NoteListProps {
  notes: readonly CaseNote[]
  /** How many there are before these. */
  earlier: number
}

/** The notes on a case, oldest first, each with author and time. New ones are read out. */
export function NoteList({ notes, earlier }: NoteListProps) {
  return (
    <div role="log" aria-label="Internal notes" className="max-h-80 overflow-y-auto">
      {earlier === 0 ? null : (
        <p className="px-3.5 pt-2.5 text-ink-2 text-xs">
          The latest {notes.length}; {earlier.toLocaleString('en-US')} earlier ones stand in the journal.
        </p>
      )}
      {notes.length === 0 ? <p className="px-3.5 py-2.5 text-ink-2 text-sm">No note yet.</p> : null}
      <ol className="divide-y divide-attention/25">
        {notes.map(({ id, authorName, text, at }) => (
          <li key={id} className="px-3.5 py-2.5">
            <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
              <strong className="min-w-0 break-words font-[550] text-ink">{visibleText(authorName)}</strong>
              <span className="text-ink-2">
                noted <Timestamp value={at} as="relative" />
              </span>
            </p>
            <p dir="auto" className="mt-0.5 whitespace-pre-wrap break-words text-sm">
              {visibleText(text)}
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}
