import { CommandRow } from '#components/command/command-row.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { MoreLink } from '#components/values/more-link.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { HomeChanges } from '#lib/commands/command.ts'
import { countWords } from './open-changes.tsx'

/** What the person sent in the last 24 hours, newest first. */
export const DoneByMe = ({ changes, count }: HomeChanges['lately']) => (
  <Panel
    title="Done by me in the last 24 hours"
    aside={<span className="figures text-muted-foreground text-sm">{countWords(count)}</span>}
  >
    {changes.length === 0 ? (
      <p className="px-3.5 py-4 text-secondary-foreground text-sm">
        You changed nothing in that time. What you change shows up here.
      </p>
    ) : (
      <ul>
        {changes.map((command) => (
          <CommandRow key={command.id} command={command}>
            <span className="text-muted-foreground">
              <Timestamp value={command.sentAt ?? ''} as="past" />
            </span>
          </CommandRow>
        ))}
      </ul>
    )}
    <MoreLink count={Math.max(0, count - changes.length)} href="/activity?person=me" />
  </Panel>
)
