import { type FormEvent, Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { fieldText, TextAreaField } from '#components/form/text-field.tsx'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { Alert, AlertDescription, AlertTitle } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { CardFooter } from '#components/ui/card.tsx'
import { TriangleAlert } from '#components/ui/icons.tsx'
import { PlainTable } from '#components/ui/table.tsx'
import type { LeftOutReason, StatementFormat, StatementLine } from '#lib/statements/file/statement.ts'
import { accountWords, type ImportPreview, reasonFault } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'

const reasonWords: Readonly<Record<LeftOutReason, string>> = {
  'paid-out': 'Paid out',
  'no-amount': 'No amount',
  reversal: 'Reversed',
  'not-booked': 'Not booked',
  total: 'Totals and balances',
}

const formatWords: Readonly<Record<StatementFormat, string>> = {
  csv: 'table (CSV)',
  'camt.052': 'camt.052',
  'camt.053': 'camt.053',
  'camt.054': 'camt.054',
  mt940: 'MT940',
  ofx: 'OFX',
  qif: 'QIF',
  xlsx: 'Excel workbook',
}

const placeWords: Partial<Record<StatementFormat, string>> = {
  'camt.052': 'Entry',
  'camt.053': 'Entry',
  'camt.054': 'Entry',
  ofx: 'Transaction',
}

interface CheckImportProps {
  fileName: string
  preview: ImportPreview
  remarks: ReactNode
  /** Null when the file can be imported without a reason. */
  warnings: ReactNode
  reason: string
  importing: boolean
  onChangeColumns: (() => void) | null
  onImport: (reason: string) => void
}

export function CheckImport({ fileName, preview, remarks, warnings, reason, ...rest }: CheckImportProps) {
  const { importing, onChangeColumns, onImport } = rest
  const { format, lines, summary, isChanged } = preview
  const heading = useRef<HTMLHeadingElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const reasonBox = useRef<HTMLTextAreaElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const isPlain = remarks === null && warnings === null && !isChanged
  // The control with the focus is gone. Focus starts at the heading if there is text to read, else at the button.
  useEffect(() => (isPlain ? button : heading).current?.focus(), [isPlain])
  useEffect(
    () => (importing ? undefined : guardUnload({ holds: () => Boolean(reasonBox.current?.value) })),
    [importing],
  )
  const how = mappingWords(preview)
  const account = accountWords(preview.accounts)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = fieldText(event.currentTarget, 'reason').trim()
    const found = warnings === null ? null : reasonFault(typed, 'Enter why it is imported anyway.')
    setFault(found)
    if (found === null) onImport(typed)
    else reasonBox.current?.focus()
  }
  return (
    <section aria-label="Check the import" className="border-t">
      <form onSubmit={submit} method="post">
        <div className="px-3.5 pt-3.5">
          <h3 ref={heading} tabIndex={-1} className="font-semibold">
            Check the import
          </h3>
          <p className="mt-0.5 break-words text-secondary-foreground text-sm">
            {visibleText(fileName)}, {formatWords[format]}. {account === '' ? '' : `${account}. `}Nothing is imported
            yet.
          </p>
        </div>
        {isChanged ? (
          <Alert variant="attention" className="mx-3.5 mt-3">
            <TriangleAlert aria-hidden />
            <AlertTitle>The result of the import has changed</AlertTitle>
            <AlertDescription>Nothing was imported. Check the amounts again.</AlertDescription>
          </Alert>
        ) : null}
        <Figures preview={preview} />
        {remarks === null ? null : (
          <Alert variant="attention" role="status" className="mx-3.5 mt-3">
            <TriangleAlert aria-hidden />
            <AlertTitle>Before you import</AlertTitle>
            <AlertDescription>{remarks}</AlertDescription>
          </Alert>
        )}
        {lines === 0 ? null : (
          <FirstLines lines={summary.first} total={lines} placeWord={placeWords[format] ?? 'Line'} />
        )}
        {how === null ? null : <p className="mx-3.5 mt-2 break-words text-secondary-foreground text-sm">{how}</p>}
        {warnings === null ? null : (
          <div className="mx-3.5 mt-3">
            <Alert variant="attention">
              <TriangleAlert aria-hidden />
              <AlertTitle>Payments may be missing or repeated</AlertTitle>
              <AlertDescription>{warnings}</AlertDescription>
            </Alert>
            <TextAreaField
              box={reasonBox}
              label="Reason for importing anyway"
              name="reason"
              className="mt-3"
              initial={reason}
              help="Shown in the activity log."
              fault={fault}
            />
          </div>
        )}
        <CardFooter className="mt-3.5 justify-end">
          {onChangeColumns === null ? null : (
            <Button variant="outline" aria-disabled={importing} onClick={onChangeColumns}>
              Change columns
            </Button>
          )}
          <Button ref={button} type="submit" aria-disabled={importing} className="max-w-full">
            <span className="truncate">{importing ? 'Importing' : importWords(preview)}</span>
          </Button>
        </CardFooter>
      </form>
    </section>
  )
}

/** `Import 171 payments, 48,213.75 BZD` */
function importWords({ lines, summary: { totals } }: ImportPreview): string {
  if (lines === 0) return 'Import without payments'
  const count = counted(lines, 'payment')
  const sums = totals.map(({ currency, sum }) => `${shownAmount(sum)} ${visibleText(currency)}`.trim())
  return `Import ${count}, ${sums.slice(0, 2).join(' and ')}${sums.length > 2 ? ' and more' : ''}`
}

function mappingWords({ mapping, head }: ImportPreview): string | null {
  if (mapping === null || head === null) return null
  const first = mapping.headings ? 'The table begins with headings.' : 'The table begins with a payment.'
  const { verdict, examples } = head.marks[mapping.amount] ?? {}
  const [example] = examples ?? []
  const mark = mapping.decimalMark ?? (verdict === 'point' || verdict === 'comma' ? verdict : null)
  if (mark === null) return `${first} All amounts are whole numbers.`
  const shown = example === undefined ? '' : `, as in “${visibleText(example.text)}”`
  return `${first} Decimal separator: ${mark}${shown}.`
}

function Figures({ preview: { lines, leftOut, summary } }: { preview: ImportPreview }) {
  const reasons = Object.entries(summary.counts) as [LeftOutReason, number][]
  return (
    <dl className="mx-3.5 mt-3 grid gap-x-8 rounded-md border px-3.5 py-1 text-sm sm:grid-cols-2">
      <Figure label="Payments in the file" note={leftOut === 0 ? '' : 'Received and skipped.'}>
        {formatCount(lines + leftOut)}
      </Figure>
      <Figure label="Payments received">{formatCount(lines)}</Figure>
      <Figure
        label="Skipped"
        note={reasons.map(([reason, count]) => `${reasonWords[reason]}: ${formatCount(count)}`).join(', ')}
      >
        {formatCount(leftOut)}
      </Figure>
      {summary.totals.map(({ currency, count, sum, largest }) => (
        <Fragment key={currency}>
          <Figure
            label={summary.totals.length > 1 ? `Sum of ${counted(count, 'line')}` : 'Sum'}
            note={currency === '' ? 'No currency given: BZD assumed.' : ''}
          >
            <Amount amount={sum} currency={currency} />
          </Figure>
          <Figure label="Largest">
            <Amount amount={largest} currency={currency} />
          </Figure>
        </Fragment>
      ))}
    </dl>
  )
}

const Figure = ({ label, note = '', children }: { label: string; note?: string; children: ReactNode }) => (
  <div className="grid grid-cols-[auto_1fr] gap-x-3 py-1.5">
    <dt className="text-secondary-foreground">{label}</dt>
    <dd className="figures text-right font-semibold">{children}</dd>
    {note === '' ? null : <dd className="col-span-2 text-right text-muted-foreground text-xs">{note}</dd>}
  </div>
)

const Amount = ({ amount, currency }: { amount: string; currency: string }) => (
  <span className="figures whitespace-nowrap font-semibold">
    {shownAmount(amount)} <span className="font-medium text-[11px] text-muted-foreground">{visibleText(currency)}</span>
  </span>
)

const textColumns: readonly (readonly [title: string, field: keyof StatementLine, className: string])[] = [
  ['Booked', 'bookedOn', 'figures whitespace-nowrap'],
  ['Value date', 'valueDate', 'figures whitespace-nowrap'],
  ['Reference', 'reference', 'mono max-w-52 truncate'],
  ['Bank’s reference', 'bankReference', 'mono max-w-52 truncate'],
  ['Payer', 'payerName', 'max-w-52 truncate'],
  ['Payer’s account', 'payerAccount', 'mono max-w-52 truncate'],
  ['Free text', 'text', 'max-w-72 truncate'],
]

interface FirstLinesProps {
  lines: readonly StatementLine[]
  total: number
  placeWord: string
}

function FirstLines({ lines, total, placeWord }: FirstLinesProps) {
  const columns = textColumns.filter(
    ([, field]) => field === 'reference' || field === 'bankReference' || lines.some((line) => line[field] !== ''),
  )
  return (
    <PlainTable
      label="First payments"
      columns={[
        { title: placeWord, head: 'bg-muted', cell: 'figures h-8 text-muted-foreground' },
        { title: 'Amount', head: 'bg-muted text-right', cell: 'text-right' },
        ...columns.map(([title, , cell]) => ({ title, head: 'bg-muted', cell })),
      ]}
      rows={lines.map((line) => [
        formatCount(line.place),
        <Amount key="amount" amount={line.amount} currency={line.currency} />,
        ...columns.map(([, field]) => visibleText(String(line[field]))),
      ])}
      className="mx-3.5 mt-3 overflow-x-auto rounded-md border"
    >
      {total > lines.length ? (
        <p className="border-t px-3.5 py-1.5 text-muted-foreground text-xs">
          The first {lines.length} of {formatCount(total)}
        </p>
      ) : null}
    </PlainTable>
  )
}
