'use client'

import { StickyNote } from 'lucide-react'
import { useId } from 'react'
import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { KeptText } from '#lib/domain/unsent-text.ts'
import { NoteForm } from './note-form.tsx'
import { NoteList } from './note-list.tsx'
import { useCaseDesk } from './use-case-desk.ts'

interface InternalNotesProps {
  caseId: string
  /** What was typed here and not added; a component for another case needs another `key`. */
  kept: KeptText
}

/** What staff writes for staff about a case. In a place, a colour and words of its own, so that it is taken for no message. */
export function InternalNotes({ caseId, kept }: InternalNotesProps) {
  const { desk, problem, refresh } = useCaseDesk(caseId)
  const heading = useId()
  /** A party of the case, or perhaps one. */
  const barred = problem?.status === 403
  const retry = <Button onClick={refresh}>Try again</Button>
  return (
    <section
      aria-labelledby={heading}
      className="min-w-0 rounded-lg border border-attention/45 border-dashed bg-attention-wash"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-attention/25 border-b px-3.5 py-2">
        <StickyNote aria-hidden className="size-4 shrink-0 text-attention" />
        <h2 id={heading}>Internal notes</h2>
        <p className="w-full text-ink-2 text-xs">Staff only. Never sent to the service or the parties.</p>
      </header>
      {problem === null || barred ? null : <ProblemPanel problem={problem} retry={retry} />}
      {problem !== null && barred ? <p className="px-3.5 py-2.5 text-sm">{problemWords(problem).title}</p> : null}
      {desk === null ? null : <NoteList notes={desk.notes} earlier={desk.earlierNotes} />}
      {desk === null && problem === null ? <p className="px-3.5 py-2.5 text-ink-2 text-sm">Reading the notes</p> : null}
      {barred ? null : <NoteForm caseId={caseId} kept={kept} mayWork={desk?.mayWork ?? true} onAdded={refresh} />}
    </section>
  )
}
