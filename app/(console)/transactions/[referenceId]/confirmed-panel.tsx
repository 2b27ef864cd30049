import type { ReactNode } from 'react'
import { Panel, QuietLink } from '#components/frame/panel.tsx'
import { PAGE_SIZES } from '#components/table/table-state.ts'
import { Fact, Facts, TimeFact } from '#components/values/facts.tsx'
import type { ConfirmedHere } from '#lib/statements/confirmed-here.ts'
import { lineAtWords } from '#lib/statements/repeats.ts'
import type { LineAt } from '#lib/statements/statement-view.ts'
import { visibleText } from '#lib/values/text.ts'

/** Transaction types that are never confirmed. */
const NOT_CONFIRMED = new Set(['P2P', 'WITHDRAWAL', 'PURCHASE', 'REVERSAL'])

/** Renders nothing for a transaction that is not a deposit. */
export function ConfirmedPanel({ type, confirmed }: { type: string; confirmed: ConfirmedHere }) {
  if (confirmed.kind === 'none' && NOT_CONFIRMED.has(type)) return null
  return (
    <Panel title="Confirmation">
      <ConfirmedText confirmed={confirmed} />
    </Panel>
  )
}

function ConfirmedText({ confirmed }: { confirmed: ConfirmedHere }) {
  switch (confirmed.kind) {
    case 'none':
      return <Words>Not confirmed from this console.</Words>
    case 'hidden':
      return <Words>A confirmation was made or tried here. You cannot see its details.</Words>
    case 'not-known':
      return <Words>The console cannot read its records. It is not known whether it was confirmed here.</Words>
    case 'open':
    case 'no-effect':
      return (
        <Words>
          A confirmation was sent from this console.{' '}
          {confirmed.kind === 'open' ? 'Its outcome is not known.' : 'No effect was found so far.'}{' '}
          <QuietLink href={`/activity/${confirmed.commandId}`}>Open the change</QuietLink>
        </Words>
      )
    case 'confirmed':
      return (
        <Facts>
          <Fact label="Confirmed by">
            <QuietLink href={`/activity/${confirmed.commandId}`}>{visibleText(confirmed.by)}</QuietLink>
          </Fact>
          <TimeFact label="Confirmed" value={confirmed.at} />
          <Fact label="Bank’s reference">
            <span className="mono break-all">{visibleText(confirmed.bankReference.trim())}</span>
          </Fact>
          <Fact label="Statement line">{confirmed.line === null ? 'none' : <LineLink line={confirmed.line} />}</Fact>
        </Facts>
      )
  }
}

const Words = ({ children }: { children: ReactNode }) => (
  <p className="px-3.5 py-3 text-secondary-foreground text-sm">{children}</p>
)

function LineLink({ line }: { line: LineAt }) {
  const page = Math.ceil(line.number / PAGE_SIZES[0])
  const address = `/deposits/statements/${encodeURIComponent(line.statementId)}`
  return <QuietLink href={page === 1 ? address : `${address}?page=${page}`}>{lineAtWords(line, false)}</QuietLink>
}
