import Link from 'next/link'
import { Panel } from '#components/frame/panel.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { linesWords } from '#lib/statements/statement-line.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { DiscardedNotice } from './discarded-notice.tsx'

export interface TakenStatement {
  readonly id: string
  readonly fileName: string
  readonly lines: number
  readonly by: string
  readonly takenAt: string
  /** `until` ends the time in which it can be restored (ISO 8601). Null when not discarded. */
  readonly discarded: { readonly by: string; readonly until: string } | null
  readonly yours: boolean
}

interface StatementListProps {
  statements: readonly TakenStatement[]
  /** The id of the statement that was just discarded. */
  focused: string | null
}

export function StatementList({ statements, focused }: StatementListProps) {
  return (
    <Panel title="Imported statements">
      {statements.length === 0 ? (
        <p className="px-3.5 py-4 text-secondary-foreground text-sm">
          None yet. An imported statement stays here, with what came of each line.
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
              <p className="text-secondary-foreground text-xs">
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
