import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, PanelOutline, TwoColumns } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { Fact, Facts, ReferenceFact, TimeFact } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { latestCommand } from '#lib/commands/view.ts'
import type { Terminal } from '#lib/contract/terminals.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { nameOf, terminalIdFault } from '#lib/terminals/terminal.ts'
import { readTerminal } from '#lib/terminals/terminal-service.ts'
import { disableFault, terminalStateWords } from '#lib/terminals/terminal-state.ts'
import { visibleText } from '#lib/values/text.ts'
import { PolicyNotes } from '../../access-notes.tsx'
import { readOrSignIn, recordShown, segmentId } from '../../page-reads.tsx'
import { Pin } from '../../recent-things.tsx'
import { TerminalActions } from './terminal-actions.tsx'

export default async function TerminalPage({ params }: { params: Promise<{ terminalId: string }> }) {
  const session = await requireSession()
  const terminalId = segmentId((await params).terminalId)
  const fault = terminalIdFault(terminalId)
  if (fault === null) {
    return (
      <Suspense key={terminalId} fallback={<TerminalOutline terminalId={terminalId} />}>
        <FoundTerminal session={session} terminalId={terminalId} />
      </Suspense>
    )
  }
  return (
    <div role="alert">
      <PageHead title="Terminal" lead={fault} />
    </div>
  )
}

const TerminalOutline = ({ terminalId }: { terminalId: string }) => (
  <>
    <PageHead title="Terminal" lead={<Reference value={terminalId} name="Terminal id" whole />} />
    <TwoColumns>
      <PanelOutline title="Terminal" lines={6} />
    </TwoColumns>
  </>
)

async function FoundTerminal({ session, terminalId }: { session: Session; terminalId: string }) {
  const [result, access, latest] = await Promise.all([
    readOrSignIn(readTerminal(session, terminalId)),
    readAccess(session),
    latestCommand(session, 'terminal.disable', terminalId),
  ])
  // The UID is shown, because labels are typed by hand and the UID identifies the reader.
  if (result.ok) recordShown(session, { kind: 'terminal', id: terminalId }, result.value.terminalUid)
  return (
    <>
      <PageHead
        tab="Terminal"
        title={result.ok ? `Terminal ${visibleText(nameOf(result.value))}` : 'Terminal'}
        lead={
          <>
            <Reference value={terminalId} name="Terminal id" whole />
            {result.ok && result.value.status === 'DISABLED' ? null : (
              <PolicyNotes session={session} kind="terminal.disable" />
            )}
          </>
        }
        action={<Pin session={session} thing={{ kind: 'terminal', id: terminalId }} />}
      />
      <TerminalActions
        terminalId={terminalId}
        name={result.ok && result.value.status !== 'DISABLED' ? visibleText(nameOf(result.value)) : null}
        blockedReason={result.ok ? disableFault(result.value.status) : null}
        missingScope={may(access, 'core:merchant_terminals:disable') ? null : 'core:merchant_terminals:disable'}
        latest={latest}
      >
        {result.ok ? (
          <TerminalFacts terminal={result.value} />
        ) : (
          <Panel title="Terminal">
            <ProblemPanel problem={result.problem} />
          </Panel>
        )}
      </TerminalActions>
    </>
  )
}

function TerminalFacts({ terminal }: { terminal: Terminal }) {
  const { merchantId, terminalUid, label, status, registeredAt, updatedAt } = terminal
  return (
    <Panel title="Terminal" aside={<StateBadge state={status} of="terminal" />}>
      <p className="px-3.5 pt-3 text-sm">{terminalStateWords(status).sentence}</p>
      <Facts className="sm:grid-cols-2 sm:gap-x-8">
        <ReferenceFact label="UID" value={terminalUid} name="UID" />
        <Fact label="Label">{label === '' ? 'none' : <bdi>{visibleText(label)}</bdi>}</Fact>
        <Fact label="Merchant">
          <Reference
            value={merchantId}
            name="Merchant"
            mark
            href={`/terminals?${new URLSearchParams({ merchant: merchantId })}`}
          />
        </Fact>
        <TimeFact label="Registered" value={registeredAt} />
        <TimeFact label="Updated" value={updatedAt} />
      </Facts>
    </Panel>
  )
}
