import Link from 'next/link'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { readTableState } from '#components/table/table-state.ts'
import { Alert, AlertDescription } from '#components/ui/alert.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import type { Session } from '#lib/session/session.ts'
import { findKeptFile } from '#lib/statements/kept-file.ts'
import { readStatementList, restorableStatements } from '#lib/statements/statement-list.ts'
import { visibleText } from '#lib/values/text.ts'
import { accessPage, RenderWithin, startRead } from '../../page-reads.tsx'
import { DiscardedNotice } from './discarded-notice.tsx'
import { ImportFile } from './import-file.tsx'
import { ImportedStatements } from './imported-statements.tsx'

const head = {
  title: 'Statements',
  lead: 'Import a bank statement and confirm the deposits that its lines match.',
  action: (
    <Link href="/deposits" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
      Confirm one deposit
    </Link>
  ),
}

export default accessPage({ head, panel: 'Import statement', entry: 'statements.read', read: readStatements })

async function readStatements(session: Session, query: URLSearchParams) {
  const again = query.get('again')
  const kept = again === null ? null : await findKeptFile(session, again)
  return (
    <>
      <PageHead {...head} />
      <div className="grid gap-4">
        {again === null || kept !== null ? null : (
          <Alert role="status" variant="attention">
            <AlertDescription>
              The columns of this statement cannot be mapped again. Only the person who imported a table can, within two
              weeks, until a confirmation is started from it.
            </AlertDescription>
          </Alert>
        )}
        <TwoColumns>
          <ImportFile again={kept} />
        </TwoColumns>
        <RenderWithin
          content={startRead(readImported(session, query))}
          outline={<ImportedStatements reading={{ kind: 'loading' }} counts={null} />}
        />
      </div>
    </>
  )
}

async function readImported(session: Session, query: URLSearchParams) {
  const { page, size } = readTableState(query).state
  const open = query.get('show') !== 'all'
  const [{ statements, counts }, discarded] = await Promise.all([
    readStatementList({ open, page, size }),
    restorableStatements(),
  ])
  const rows = statements.map((value) => ({ readable: true, value }) as const)
  return (
    <div className="grid gap-4">
      {discarded.map((statement) => (
        <Panel key={statement.id} title={visibleText(statement.file_name)} className="break-words">
          <div className="px-3.5 pt-2 pb-3.5">
            <DiscardedNotice
              id={statement.id}
              by={statement.discarded_by ?? ''}
              until={statement.until}
              yours={statement.owner === session.actor}
              focused={statement.id === query.get('discarded')}
            />
          </div>
        </Panel>
      ))}
      <ImportedStatements reading={{ kind: 'rows', rows, total: open ? counts.open : counts.all }} counts={counts} />
    </div>
  )
}
