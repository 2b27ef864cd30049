import Form from 'next/form'
import type { ComponentProps, ReactNode } from 'react'
import { DateField } from '#components/form/date-field.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel, PanelOutline, QuietLink } from '#components/frame/panel.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import { Alert, AlertDescription } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { PlainTable } from '#components/ui/table.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { config } from '#lib/config/config.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { readDayReport, reportDay, type Tally } from '#lib/statements/day-report.ts'
import { store } from '#lib/store/store.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { dayAfter, daysBefore, formatDay } from '#lib/values/time.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { RefusedPanel } from '../../access-notes.tsx'
import { RenderWithAccess, RenderWithin, startRead } from '../../page-reads.tsx'
import { ReportTools } from './report-tools.tsx'

const LISTED_MAX = 500
const LINES_A_PAGE = 20

const linkLook = { variant: 'outline', size: 'field', className: 'print:hidden' } as const

export default async function ReportPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const typed = queryOf(await searchParams).get('day') ?? ''
  const shown = reportDay(typed)
  const head = {
    tab: 'End-of-day report',
    title: `End-of-day report, ${formatDay(shown.day, 'utc')}`,
    lead: `Bank statements and confirmed deposits. Days begin at midnight, time zone ${config().businessZone}.`,
    action: (
      <ButtonLink href="/deposits/statements" {...linkLook}>
        Statements
      </ButtonLink>
    ),
  }
  const content = startRead(readPermittedReport(session, head, typed, shown))
  return <RenderWithAccess session={session} content={content} head={head} panel="By account" />
}

async function readPermittedReport(
  session: Session,
  head: ComponentProps<typeof PageHead>,
  typed: string,
  { day, today, fault }: ReturnType<typeof reportDay>,
) {
  const refusal = await refusedFrom(session, 'statements.read')
  return (
    <>
      <PageHead {...head} />
      {refusal === null ? (
        <>
          <div className="mb-3 flex flex-wrap items-start gap-2 [&>a]:mt-5.5 [&>button]:mt-5.5 [&>form>button]:mt-5.5">
            <DayChoice day={day} today={today} typed={typed} />
            <ReportTools key={day} day={day} by={session.displayName} />
          </div>
          {fault === null ? null : (
            <Alert variant="attention" className="mb-3">
              <AlertDescription>{fault} The report is of today.</AlertDescription>
            </Alert>
          )}
          <RenderWithin content={startRead(readReport(day))} outline={<PanelOutline title="By account" lines={6} />} />
        </>
      ) : (
        <RefusedPanel refusal={refusal} />
      )}
    </>
  )
}

const DayChoice = ({ day, today, typed }: { day: string; today: string; typed: string }) => (
  <>
    <ButtonLink href={`/deposits/report?day=${daysBefore(day, 1)}`} {...linkLook}>
      Previous day
    </ButtonLink>
    <Form action="/deposits/report" prefetch={false} className="flex items-start gap-2 print:hidden">
      <DateField
        key={typed}
        className="w-52"
        label="Day"
        name="day"
        initial={typed || day}
        zone={config().businessZone}
      />
      <Button type="submit" variant="outline" size="field">
        Show
      </Button>
    </Form>
    {day < today ? (
      <ButtonLink href={`/deposits/report?day=${dayAfter(day)}`} {...linkLook}>
        Next day
      </ButtonLink>
    ) : null}
  </>
)

async function readReport(day: string) {
  const readAt = new Date().toISOString()
  const { statements, accounts, people, setAside, setAsideCount } = await readDayReport(await store(), day, LISTED_MAX)
  const imported = statements === 0 ? 'No statements were imported on this day' : `Statements imported: ${statements}`
  const more =
    setAsideCount > setAside.length
      ? ` The first ${LISTED_MAX} of ${counted(setAsideCount, 'line')}; the CSV has all.`
      : ''
  return (
    <div className="grid gap-4">
      <p className="text-secondary-foreground text-sm">
        {imported}. As of <Timestamp value={readAt} />.
      </p>
      <Part
        title="By account"
        note="Received, left open now: lines imported this day, without repeats. Confirmed, set aside: this day, whenever imported."
        empty="No lines were received, confirmed or set aside."
        heads={['Account', 'Currency', 'Received', 'Confirmed', 'Set aside', 'Left open']}
        rows={accounts.map(({ account, currency, ...totals }) => [
          account === '' ? 'No account named' : visibleText(account),
          visibleText(currency),
          ...[totals.received, totals.confirmed, totals.setAside, totals.open].map((tally) => sumOf(tally)),
        ])}
      />
      <Part
        title="By person"
        note="Confirmed: deposits, with or without a statement. References: of deposits and of the bank, entered or accepted."
        empty="Nobody confirmed a deposit or changed a line."
        heads={['Person', 'Currency', 'Confirmed', 'Set aside', 'References']}
        rows={people.map(({ person, currency, references, ...totals }) => [
          visibleText(person),
          visibleText(currency),
          sumOf(totals.confirmed, 'deposit'),
          sumOf(totals.setAside),
          formatCount(references),
        ])}
      />
      <Part
        title="Set aside"
        note={`Lines set aside this day and still set aside.${more}`}
        empty="No lines were set aside."
        heads={['Statement', 'Amount', 'Reason', 'Set aside by']}
        rows={setAside.map(({ statementId, fileName, number, amount, currency, reason, by }) => [
          <QuietLink key="line" href={`/deposits/statements/${statementId}?page=${Math.ceil(number / LINES_A_PAGE)}`}>
            {visibleText(fileName)}, line {formatCount(number)}
          </QuietLink>,
          <span key="amount" className="figures">
            {shownAmount(amount)} {visibleText(currency)}
          </span>,
          visibleText(reason),
          by === null ? 'The import' : visibleText(by),
        ])}
      />
    </div>
  )
}

const sumOf = ({ count, sum }: Tally, what = 'line') => (
  <>
    <span className="figures block">{shownAmount(sum)}</span>
    <span className="figures text-muted-foreground text-xs">{counted(count, what)}</span>
  </>
)

interface PartProps {
  title: string
  note: string
  empty: string
  heads: readonly string[]
  rows: readonly (readonly ReactNode[])[]
}

const WORDS = new Set(['Account', 'Currency', 'Person', 'Statement', 'Reason', 'Set aside by'])

function Part({ title, note, empty, heads, rows }: PartProps) {
  const alignOf = (head: string) => (WORDS.has(head) ? 'text-left' : 'text-right')
  return (
    <Panel title={title}>
      <p className="px-3.5 pt-2 text-secondary-foreground text-sm">{note}</p>
      {rows.length === 0 ? (
        <p className="px-3.5 py-3 text-sm">{empty}</p>
      ) : (
        <PlainTable
          label={title}
          columns={heads.map((head) => ({
            title: head,
            head: alignOf(head),
            cell: `break-words py-1.5 align-top ${alignOf(head)}`,
          }))}
          rows={rows}
          className="overflow-x-auto print:overflow-visible"
        />
      )}
    </Panel>
  )
}
