import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CaseParties } from '#lib/disputes/case-role.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { saidBy } from './said-by.ts'

interface SaidPanelProps {
  messages: readonly ThreadMessage[]
  /** Messages that the console cannot read and therefore does not count. */
  unreadable: number
  parties: CaseParties
  onShow: (id: string) => void
}

export const SaidPanel = ({ messages, unreadable, parties, onShow }: SaidPanelProps) => (
  <Panel title="Messages">
    <Facts>
      {saidBy(messages, parties).map(({ role, count, first }) => (
        <Fact key={role} label={role === 'Arbitrator' ? 'Arbitrators' : role}>
          <span className="figures">
            {count.toLocaleString('en-US')}
            {first === null ? null : (
              <>
                , first <Timestamp value={first.createdAt} as="past" />
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Show the first message: ${role}`}
                  onClick={() => onShow(first.id)}
                >
                  Show
                </Button>
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
