import Link from 'next/link'
import { notFound } from 'next/navigation'
import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, readTableState } from '#components/table/table-state.ts'
import { Alert, AlertDescription } from '#components/ui/alert.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { requireAccess } from '#lib/authorization/require-access.ts'
import { lineStatuses } from '#lib/statements/statement-line.ts'
import { readStatement } from '#lib/statements/view.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { RefusedPanel } from '../../../refused-panel.tsx'
import { StatementLines } from './statement-lines.tsx'

interface StatementPageProps {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function StatementPage({ params, searchParams }: StatementPageProps) {
  const { session, refusal } = await requireAccess('statements.read')
  if (refusal !== null) {
    return (
      <>
        <PageHead title="Statement" lead="A bank’s statement, line by line." />
        <RefusedPanel refusal={refusal} />
      </>
    )
  }
  const query = queryOf(await searchParams)
  const { page, size } = readTableState(query).state
  const status = lineStatuses.find((known) => known === query.get('show')) ?? null
  const { id } = await params
  const read = await readStatement(id, { status, page, size })
  if (read === null) notFound()
  const { statement, work, counts, ready, lines, total } = read
  const leftOut = statement.left_out
  return (
    <>
      <PageHead
        tab="Statement"
        title={visibleText(statement.file_name)}
        lead={`Imported by ${statement.owner_name}.${leftOut === 0 ? '' : ` ${leftOut.toLocaleString('en-US')} ${leftOut === 1 ? 'entry that is' : 'entries that are'} no money received ${leftOut === 1 ? 'was' : 'were'} left out.`}`}
        action={
          <Link href="/deposits/statements" prefetch={false} className={buttonVariants({ variant: 'outline' })}>
            All statements
          </Link>
        }
      />
      {query.get('again') === null ? null : (
        <Alert role="status" variant="working" className="mb-4">
          <AlertDescription>
            This file was imported before. This is that import; nothing was imported twice.
          </AlertDescription>
        </Alert>
      )}
      <StatementLines
        id={id}
        work={work}
        counts={counts}
        ready={ready}
        lines={lines}
        total={total}
        mayDiscard={statement.owner === session.actor && work.work === null && !hasGoneOut(counts)}
      />
    </>
  )
}

const hasGoneOut = ({ done = 0, open = 0, refused = 0 }: { done?: number; open?: number; refused?: number }): boolean =>
  done + open + refused > 0
