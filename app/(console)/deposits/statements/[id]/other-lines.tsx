import { RowLink } from '#components/table/row-link.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { lineAtWords, repeatsOf } from '#lib/statements/repeats.ts'
import type { Confirmation, LineAt, LineView } from '#lib/statements/statement-view.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** The other lines, and the other confirmations, that a line has to do with. */
export function OtherLines({ line }: { line: LineView }) {
  const { status, commandId, confirmation, bankHolder, hold } = line
  const elsewhere = status === 'elsewhere' || (status === 'done' && commandId === null)
  return (
    <>
      {repeatsOf(line).map(({ what, at }) => (
        <p key={`${what} ${at.statementId} ${at.number}`} className="break-words text-secondary-foreground">
          {what} <LineLink at={at} here={at.statementId === line.statementId} />
        </p>
      ))}
      {hold === 'bank-reference-taken' && bankHolder !== null && bankHolder.line === null ? (
        <ConfirmedBy word="It was used" confirmation={bankHolder} />
      ) : null}
      {elsewhere && confirmation !== null ? (
        <>
          <ConfirmedBy word="The deposit was confirmed" confirmation={confirmation} />
          {confirmation.line === null ? null : (
            <p className="text-secondary-foreground">
              From <LineLink at={confirmation.line} here={confirmation.line.statementId === line.statementId} />
            </p>
          )}
        </>
      ) : null}
    </>
  )
}

const LineLink = ({ at, here }: { at: LineAt; here: boolean }) => (
  <RowLink href={`/deposits/statements/${at.statementId}`}>{lineAtWords(at, here)}</RowLink>
)

function ConfirmedBy({ word, confirmation: { commandId, by, at } }: { word: string; confirmation: Confirmation }) {
  return (
    <p className="break-words text-secondary-foreground">
      <RowLink href={`/activity/${commandId}`}>
        {word} by {visibleText(by)}
      </RowLink>
      {at === null ? null : (
        <>
          {' '}
          <Timestamp value={at} as="past" />
        </>
      )}
    </p>
  )
}
