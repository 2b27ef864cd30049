import { Lines } from '#components/domain/lines.tsx'
import { Timestamp } from '#components/domain/timestamp.tsx'
import { shownAmount } from '#lib/domain/money.ts'
import type { DoneBy } from '#lib/domain/statement-view.ts'
import { visibleText } from '#lib/domain/visible-text.ts'
import type { LineToConfirm } from '../intake-requests.ts'

/** The bank's line as its file has it, beside what somebody entered; then the transaction that it leads to. */
export function BothTexts({ shown: { line, facts } }: { shown: LineToConfirm }) {
  return (
    <>
      <div className="grid divide-y divide-line border-line border-b text-sm sm:grid-cols-2 sm:divide-x sm:divide-y-0">
        <section className="min-w-0 px-4.5 py-3">
          <h3 className="mb-1.5 font-semibold">The bank’s line {line.number.toLocaleString('en-US')}</h3>
          <dl className="grid gap-1.5">
            <Text label="The bank received" text={`${shownAmount(line.amount)} ${line.currency}`} />
            <Text label="Reference" text={line.given.reference} mono />
            <Text label="Bank’s reference" text={line.given.bankReference} mono />
            <Text label="Booked" text={line.bookedOn} />
            <Text label="Free text" text={line.text} />
          </dl>
        </section>
        <section className="min-w-0 px-4.5 py-3">
          <h3 className="mb-1.5 font-semibold">Entered by hand</h3>
          <dl className="grid gap-1.5">
            {line.soughtFrom === 'hand' ? (
              <Text label="Reference" text={line.sought} mono by={line.soughtEntered} />
            ) : null}
            {line.bankFrom === 'hand' ? (
              <Text label="Bank’s reference" text={line.bankReference} mono by={line.bankEntered} />
            ) : null}
          </dl>
          {line.edited === null ? null : (
            <p className="mt-2 break-words text-ink-3 text-xs">
              Last edited by {visibleText(line.edited.by)}, <Timestamp value={line.edited.at} />
            </p>
          )}
        </section>
      </div>
      <section className="border-line border-b px-1 pt-2 text-sm">
        <h3 className="px-3.5 font-semibold">The transaction, as the service has it now</h3>
        <Lines lines={facts} />
      </section>
    </>
  )
}

interface TextProps {
  label: string
  text: string
  mono?: boolean
  by?: DoneBy | null
}

function Text({ label, text, mono = false, by = null }: TextProps) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-3 text-xs">{label}</dt>
      <dd className={mono ? 'mono break-all' : 'break-words'}>
        {text.trim() === '' ? <span className="text-ink-3">none</span> : visibleText(text)}
      </dd>
      {by === null ? null : (
        <dd className="break-words text-ink-3 text-xs">
          by {visibleText(by.by)}, <Timestamp value={by.at} />
        </dd>
      )}
    </div>
  )
}
