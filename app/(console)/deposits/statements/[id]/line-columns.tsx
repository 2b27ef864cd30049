import type { Column } from '#components/table/columns.ts'
import { Reference } from '#components/values/reference.tsx'
import type { LineView } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Acts } from './line-acts.tsx'
import { LineResult } from './line-result.tsx'
import type { LineActs } from './use-line-acts.ts'
import { AmountVerdict, ReferenceVerdict, StateVerdict } from './verdicts.tsx'

const Text = ({ children }: { children: string }) => (
  <bdi className="inline-block max-w-[22ch] truncate align-middle" title={visibleText(children)}>
    {visibleText(children)}
  </bdi>
)

const FreeText = ({ children }: { children: string }) => (
  <bdi
    className="line-clamp-2 mb-1 max-w-56 whitespace-normal break-words text-secondary-foreground text-xs"
    title={visibleText(children)}
  >
    {visibleText(children)}
  </bdi>
)

export const lineColumns = (acts: LineActs): readonly Column<LineView>[] => [
  {
    id: 'number',
    head: 'Line',
    always: true,
    align: 'right',
    cell: ({ number }) => <span className="figures">{number.toLocaleString('en-US')}</span>,
  },
  {
    id: 'reference',
    head: 'Reference, free text',
    always: true,
    cell: ({ sought, text }) => (
      <>
        {sought === '' ? (
          <span className="text-muted-foreground">none</span>
        ) : (
          <Reference
            short
            value={sought}
            name="Reference"
            href={`/deposits?${new URLSearchParams({ reference: sought })}`}
          />
        )}
        {text === '' ? null : <FreeText>{text}</FreeText>}
      </>
    ),
  },
  {
    id: 'amount',
    head: 'The bank received',
    align: 'right',
    cell: ({ amount, currency }) => (
      <span className="figures">
        {shownAmount(amount)}{' '}
        <span className="font-medium text-[11px] text-muted-foreground">{visibleText(currency)}</span>
      </span>
    ),
  },
  { id: 'found', head: 'Reference found', cell: (line) => <ReferenceVerdict line={line} /> },
  { id: 'agrees', head: 'Amount agrees', cell: (line) => <AmountVerdict line={line} /> },
  { id: 'state', head: 'State', cell: (line) => <StateVerdict line={line} /> },
  { id: 'result', head: 'What came of it', cell: (line) => <LineResult line={line} acts={acts} /> },
  {
    id: 'bank-reference',
    head: 'Bank’s reference',
    cell: ({ bankReference, bankFrom }) => (
      <>
        <Text>{bankReference}</Text>
        {bankFrom === 'hand' ? <span className="ml-1 text-muted-foreground text-xs">entered by hand</span> : null}
      </>
    ),
  },
  { id: 'booked', head: 'Booked', cell: ({ bookedOn }) => <Text>{bookedOn}</Text> },
  {
    id: 'act',
    head: 'What to do',
    quietHead: true,
    cell: (line) => <Acts line={line} acts={acts} />,
  },
]
