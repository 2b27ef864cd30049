import { CommandRow } from '#components/command/command-row.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { MoreLink } from '#components/values/more-link.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { countSentLately, openChanges, sentLately } from '#lib/activity/open-changes.ts'
import { requireSession } from '#lib/session/current.ts'
import { OpenChanges } from './open-changes.tsx'
import { OpenDisputes } from './open-disputes.tsx'

/** What needs this person, emptying as it is handled. */
export default async function HomePage() {
  const session = await requireSession()
  const [open, lately, count] = await Promise.all([openChanges(session), sentLately(session), countSentLately(session)])
  return (
    <>
      <PageHead title="Home" lead="What needs you, emptying as you handle it." />
      <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_440px]">
        <div className="grid min-w-0 gap-4">
          <OpenChanges initial={open} />
          <OpenDisputes session={session} />
        </div>
        <Panel
          title="Done by me in the last 24 hours"
          aside={<span className="figures text-muted-foreground text-sm">{countWords(count)}</span>}
        >
          {lately.length === 0 ? (
            <p className="px-3.5 py-4 text-secondary-foreground text-sm">
              You changed nothing yet. What you do from here shows up here.
            </p>
          ) : (
            <ul>
              {lately.map((command) => (
                <CommandRow key={command.id} command={command}>
                  <span className="text-muted-foreground">
                    <Timestamp value={command.sentAt ?? ''} as="relative" />
                  </span>
                </CommandRow>
              ))}
            </ul>
          )}
          <MoreLink count={Math.max(0, count - lately.length)} href="/activity?person=me" />
        </Panel>
      </div>
    </>
  )
}

const countWords = (count: number): string => (count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`)
