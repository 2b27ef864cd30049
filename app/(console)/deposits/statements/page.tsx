import Link from 'next/link'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, PanelOutline, TwoColumns } from '#components/frame/panel.tsx'
import { queryOf } from '#components/table/table-state.ts'
import { buttonVariants } from '#components/ui/button.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { requireAccess } from '#lib/authorization/require-access.ts'
import type { Session } from '#lib/session/session.ts'
import type { AccountStatement } from '#lib/statements/file/statement.ts'
import { findKeptFile } from '#lib/statements/kept-file.ts'
import { latestStatements, restorableUntil } from '#lib/statements/statement-list.ts'
import { accountWords, linesWords } from '#lib/statements/statement-view.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { RefusedPanel } from '../../access-notes.tsx'
import { RenderWithin } from '../../page-reads.tsx'
import { DiscardedNotice } from './discarded-notice.tsx'
import { ImportFile } from './import-file.tsx'

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function StatementsPage({ searchParams }: { searchParams: Search }) {
  const { session, refusal } = await requireAccess('statements.read')
  const query = queryOf(await searchParams)
  const again = query.get('again')
  return (
    <>
      <PageHead
        title="Statements"
        lead="Import a bank statement and confirm the deposits that its lines match."
        action={
          <>
            <Link href="/deposits/report" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
              End-of-day report
            </Link>
            <Link href="/deposits" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
              Confirm one deposit
            </Link>
          </>
        }
      />
      {refusal === null ? (
        <TwoColumns>
          <ImportFile again={again === null ? null : await findKeptFile(session, again)} />
          <RenderWithin
            content={readImported(session, query.get('discarded'))}
            outline={<PanelOutline title="Imported statements" lines={6} />}
          />
        </TwoColumns>
      ) : (
        <RefusedPanel refusal={refusal} />
      )}
    </>
  )
}

async function readImported(session: Session, focused: string | null) {
  const statements = (await latestStatements()).map((statement) => ({
    id: statement.id,
    fileName: statement.file_name,
    lines: statement.lines,
    by: statement.owner_name,
    takenAt: statement.taken_at,
    account: accountWords(JSON.parse(statement.accounts) as readonly AccountStatement[]),
    discarded: discardedOf(statement),
    yours: statement.owner === session.actor,
  }))
  return <StatementList focused={focused} statements={statements} />
}

function discardedOf(statement: Awaited<ReturnType<typeof latestStatements>>[number]) {
  const until = restorableUntil(statement)
  return until === null ? null : { by: statement.discarded_by ?? '', until }
}

interface TakenStatement {
  readonly id: string
  readonly fileName: string
  readonly lines: number
  readonly by: string
  readonly takenAt: string
  /** May be empty. */
  readonly account: string
  /** `until` ends the time in which it can be restored (ISO 8601). Null when not discarded. */
  readonly discarded: { readonly by: string; readonly until: string } | null
  readonly yours: boolean
}

interface StatementListProps {
  statements: readonly TakenStatement[]
  /** The id of the statement that was just discarded. */
  focused: string | null
}

function StatementList({ statements, focused }: StatementListProps) {
  return (
    <Panel title="Imported statements">
      {statements.length === 0 ? (
        <p className="px-3.5 py-4 text-secondary-foreground text-sm">
          No statements yet. Imported statements and their results appear here.
        </p>
      ) : (
        <ul>
          {statements.map((statement) => (
            <li key={statement.id} className="px-3.5 py-2.5 not-last:border-b">
              {statement.discarded === null ? (
                <Link
                  href={`/deposits/statements/${statement.id}`}
                  prefetch={false}
                  className="break-words font-[550] text-primary underline-offset-4 hover:underline"
                >
                  {visibleText(statement.fileName)}
                </Link>
              ) : (
                <p className="break-words font-[550] text-muted-foreground">{visibleText(statement.fileName)}</p>
              )}
              <p className="break-words text-secondary-foreground text-xs">
                {statement.account === '' ? '' : `${statement.account}. `}
                {linesWords(statement.lines)}, imported by {visibleText(statement.by)},{' '}
                <Timestamp value={statement.takenAt} as="past" />
              </p>
              {statement.discarded === null ? null : (
                <DiscardedNotice
                  id={statement.id}
                  yours={statement.yours}
                  focused={statement.id === focused}
                  {...statement.discarded}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
