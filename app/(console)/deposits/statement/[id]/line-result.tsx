import { outcomeLooks } from '#components/command/outcome-looks.ts'
import { Timestamp } from '#components/domain/timestamp.tsx'
import { RowLink } from '#components/table/row-link.tsx'
import { Chip } from '#components/ui/chip.tsx'
import type { LineHold } from '#lib/domain/statement-line.ts'
import type { LineView } from '#lib/domain/statement-view.ts'
import { visibleText } from '#lib/domain/visible-text.ts'

const holdWords: Readonly<Record<LineHold, string>> = {
  'no-bank-reference': 'The bank gives no reference of its own. Enter it.',
  'bank-reference-taken': 'The bank’s reference is taken in this console: it has confirmed a deposit, or may have.',
  'deposit-under-way': 'A confirmation of this deposit is under way.',
  'other-line': 'An earlier line of this statement names the same deposit, or the same bank’s reference.',
}

/** What came of a line, or what stands in its way. */
export function LineResult({ line }: { line: LineView }) {
  const { outcome, parked, seen, edited } = line
  const look = outcome === null ? null : outcomeLooks[outcome.class]
  const words = wordsOf(line)
  if (look === null && words === null && parked === null && seen === null && edited === null) return null
  return (
    <div className="grid max-w-72 min-w-44 gap-0.5 whitespace-normal py-1 text-xs">
      {look === null ? null : (
        <Chip tone={look.tone} className="justify-self-start">
          <look.icon aria-hidden />
          {look.title}
        </Chip>
      )}
      {words === null ? null : <p className="break-words text-ink-2">{visibleText(words)}</p>}
      {parked === null ? null : (
        <p className="break-words text-ink-2">
          Parked{parked.by === null ? '' : ` by ${parked.by}`}: {visibleText(parked.reason)}
        </p>
      )}
      {seen === null ? null : (
        <RowLink href={`/deposits/statement/${seen.statementId}`}>
          Seen before, line {seen.number.toLocaleString('en-US')}
        </RowLink>
      )}
      {edited === null ? null : (
        <p className="break-words text-ink-3">
          <RowLink href={`/activity/${line.editId}`}>Edited by {visibleText(edited.by)}</RowLink>{' '}
          <Timestamp value={edited.at} as="relative" />
        </p>
      )}
    </div>
  )
}

function wordsOf({ outcome, hold, note, standing }: LineView): string | null {
  if (outcome?.class === 'refused' || outcome?.class === 'step-up' || outcome?.class === 'failed') return outcome.title
  if (outcome?.class === 'no-effect') return outcome.advice
  if (outcome?.class === 'unknown') return outcome.advice
  if (outcome?.class === 'changed') return 'Nothing was sent: the deposit is not as it was looked up.'
  if (outcome !== null) return null
  if (standing === 'by-hand') return 'Entered by hand: it is confirmed on its own.'
  return note ?? (hold === null ? null : holdWords[hold])
}
