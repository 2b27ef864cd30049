import { Panel } from '#components/frame/panel.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Terminal } from '#lib/contract/terminals.ts'
import { terminalStateWords } from '#lib/terminals/terminal-state.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** One terminal as the service gives it. */
export function TerminalFacts({ terminal }: { terminal: Terminal }) {
  const { merchantId, terminalUid, label, status, registeredAt, updatedAt } = terminal
  return (
    <Panel title="Terminal" aside={<StateBadge state={status} of="terminal" />}>
      <p className="px-3.5 pt-3 text-sm">{terminalStateWords(status).sentence}</p>
      <Facts className="sm:grid-cols-2 sm:gap-x-8">
        <Fact label="UID">
          <Reference value={terminalUid} name="UID" />
        </Fact>
        <Fact label="Label">{label === '' ? 'none' : <bdi>{visibleText(label)}</bdi>}</Fact>
        <Fact label="Merchant">
          <Reference
            value={merchantId}
            name="Merchant"
            mark
            href={`/terminals?${new URLSearchParams({ merchant: merchantId })}`}
          />
        </Fact>
        <Fact label="Registered">
          <Timestamp value={registeredAt} />
        </Fact>
        <Fact label="Updated">
          <Timestamp value={updatedAt} />
        </Fact>
      </Facts>
    </Panel>
  )
}
