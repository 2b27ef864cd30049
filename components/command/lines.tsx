import { Fact, Facts } from '#components/values/facts.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { Line } from '#lib/commands/command.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** Lines of a draft or an outcome, each value shown as what it is. */
export function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <Facts>
      {lines.map((line) => (
        <Fact key={line.label} label={line.label}>
          <LineValue line={line} />
        </Fact>
      ))}
    </Facts>
  )
}

function LineValue({ line }: { line: Line }) {
  switch (line.as) {
    case 'money':
      return <Money amount={line.value} />
    case 'reference':
    case 'id':
      return <Reference value={line.value} name={line.label} />
    case 'state':
      return <StateBadge state={line.value} />
    case 'card-state':
      return <StateBadge state={line.value} of="card" />
    case 'terminal-state':
      return <StateBadge state={line.value} of="terminal" />
    case 'case-state':
      return <StateBadge state={line.value} of="case" />
    case 'time':
      return <Timestamp value={line.value} />
    case 'mono':
      return <span className="mono break-all">{visibleText(line.value)}</span>
    case 'text':
      return visibleText(line.value)
  }
}
