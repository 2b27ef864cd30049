import Link from 'next/link'
import { Panel } from '#components/frame/panel.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { visibleText } from '#lib/values/visible-text.ts'

export interface TakenStatement {
  readonly id: string
  readonly fileName: string
  readonly lines: number
  readonly by: string
  readonly takenAt: string
}

/** The statements that are here, newest first, whoever took them. */
export function StatementList({ statements }: { statements: readonly TakenStatement[] }) {
  return (
    <Panel title="Imported statements">
      {statements.length === 0 ? (
        <p className="px-3.5 py-4 text-secondary-foreground text-sm">
          None yet. An imported statement stays here, with what came of each line.
        </p>
      ) : (
        <ul>
          {statements.map(({ id, fileName, lines, by, takenAt }) => (
            <li key={id} className="px-3.5 py-2.5 not-last:border-b">
              <Link
                href={`/deposits/statements/${id}`}
                prefetch={false}
                className="break-words font-[550] text-primary underline-offset-4 hover:underline"
              >
                {visibleText(fileName)}
              </Link>
              <p className="text-secondary-foreground text-xs">
                {lines.toLocaleString('en-US')} {lines === 1 ? 'line' : 'lines'}, imported by {by},{' '}
                <Timestamp value={takenAt} as="relative" />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
