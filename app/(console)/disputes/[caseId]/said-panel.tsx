import { Panel } from '#components/frame/panel.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CaseParties } from '#lib/disputes/case-role.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { saidBy } from './said-by.ts'

interface SaidPanelProps {
  messages: readonly ThreadMessage[]
  /** Messages of the thread that the console cannot read: they are counted for nobody. */
  unreadable: number
  parties: CaseParties
}

/** Who said how much in a thread, and since when. */
export const SaidPanel = ({ messages, unreadable, parties }: SaidPanelProps) => (
  <Panel title="Messages">
    <Facts>
      {saidBy(messages, parties).map(({ role, count, firstAt }) => (
        <Fact key={role} label={role === 'Arbitrator' ? 'Arbitrators' : role}>
          <span className="figures">
            {count.toLocaleString('en-US')}
            {firstAt === null ? null : (
              <>
                , first <Timestamp value={firstAt} as="relative" />
              </>
            )}
          </span>
        </Fact>
      ))}
      {unreadable === 0 ? null : (
        <Fact label="Not readable">
          <span className="figures text-attention">{unreadable.toLocaleString('en-US')}</span>
        </Fact>
      )}
    </Facts>
  </Panel>
)
