import Link from 'next/link'
import { PageHead } from '#components/frame/page-head.tsx'
import { PanelOutline } from '#components/frame/panel-outline.tsx'
import { TwoColumns } from '#components/frame/two-columns.tsx'
import { queryOf } from '#components/table/table-state.ts'
import { buttonVariants } from '#components/ui/button.tsx'
import { requireAccess } from '#lib/authorization/require-access.ts'
import type { Session } from '#lib/session/session.ts'
import { latestStatements, restorableUntil } from '#lib/statements/list.ts'
import { ReadSoon } from '../../read-soon.tsx'
import { RefusedPanel } from '../../refused-panel.tsx'
import { ImportFile } from './import-file.tsx'
import { StatementList } from './statement-list.tsx'

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function StatementsPage({ searchParams }: { searchParams: Search }) {
  const { session, refusal } = await requireAccess('statements.read')
  return (
    <>
      <PageHead
        title="Statements"
        lead="Import a bank’s statement, see which of its lines agree with a deposit, and confirm those one by one."
        action={
          <Link href="/deposits" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
            Confirm one deposit
          </Link>
        }
      />
      {refusal === null ? (
        <TwoColumns>
          <ImportFile />
          <ReadSoon
            content={readImported(session, queryOf(await searchParams).get('discarded'))}
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
    discarded: discardedOf(statement),
    yours: statement.owner === session.actor,
  }))
  return <StatementList focused={focused} statements={statements} />
}

function discardedOf(statement: Awaited<ReturnType<typeof latestStatements>>[number]) {
  const until = restorableUntil(statement)
  return until === null ? null : { by: statement.discarded_by ?? '', until }
}
