import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, QuietLink, TwoColumns } from '#components/frame/panel.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import { IdMark } from '#components/values/id-mark.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { recentThings } from '#lib/look-up/recent-things.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { merchantIdFault } from '#lib/terminals/terminal.ts'
import { listTerminals } from '#lib/terminals/terminal-service.ts'
import { cleanReference, visibleText } from '#lib/values/text.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { PolicyNotes } from '../access-notes.tsx'
import { LookUpForm } from '../look-up-form.tsx'
import { RenderWithin, readOrSignIn, recordShown, startRead } from '../page-reads.tsx'
import { Pin } from '../recent-things.tsx'
import { MerchantTerminals, TerminalsOutline } from './merchant-terminals.tsx'

export default async function TerminalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const given = query.get('merchant')
  const merchantId = cleanReference(given ?? '')
  const recent = (await recentThings(session, 'merchant')).slice(0, RECENT_SHOWN).map(({ id }) => id)
  return (
    <>
      <PageHead
        title="Terminals"
        lead={
          <>
            View, register and disable a merchant’s card readers.
            <PolicyNotes session={session} kind="terminal.register" />
          </>
        }
        action={
          merchantIdFault(merchantId) === null ? (
            <Pin key={merchantId} session={session} thing={{ kind: 'merchant', id: merchantId }} />
          ) : null
        }
      />
      <div className="grid gap-4">
        <TwoColumns>
          <Panel title="Look up a merchant">
            <div className="px-3.5 pt-3.5 pb-1.5">
              <LookUpForm key={merchantId} value={given} to="terminals" help="The merchant’s id, exactly as written." />
            </div>
            <RecentMerchants recent={recent} current={merchantId} />
          </Panel>
        </TwoColumns>
        {merchantIdFault(merchantId) === null ? (
          <TableViews session={session} table="merchant-terminals" path="/terminals" query={query}>
            <RenderWithin
              key={merchantId}
              content={startRead(readMerchant(session, merchantId))}
              outline={<TerminalsOutline merchantId={merchantId} />}
            />
          </TableViews>
        ) : null}
      </div>
    </>
  )
}

const RECENT_SHOWN = 8

/** `recent` has pinned merchants first, then the last opened ones. */
function RecentMerchants({ recent, current }: { recent: readonly string[]; current: string }) {
  const others = recent.filter((merchant) => merchant !== current)
  if (others.length === 0) return null
  return (
    <nav aria-label="Recent merchants" className="flex flex-wrap items-center gap-x-3 border-t px-3.5 py-2">
      <span className="text-muted-foreground text-xs">Recent</span>
      {others.map((merchant) => (
        <QuietLink
          key={merchant}
          href={`/terminals?${new URLSearchParams({ merchant })}`}
          className="mono inline-flex min-h-6 max-w-full items-center gap-1.5 break-all"
        >
          <IdMark id={merchant} />
          {visibleText(merchant)}
        </QuietLink>
      ))}
    </nav>
  )
}

async function readMerchant(session: Session, merchantId: string) {
  const [result, access, latest] = await Promise.all([
    readOrSignIn(listTerminals(session, merchantId)),
    readAccess(session),
    latestCommand(session, 'terminal.register', merchantId),
  ])
  if (result.ok) recordShown(session, { kind: 'merchant', id: merchantId })
  return (
    <MerchantTerminals
      merchantId={merchantId}
      reading={result.ok ? { kind: 'rows', rows: result.value } : { kind: 'problem', problem: result.problem }}
      missingScope={may(access, 'core:merchant_terminals:create') ? null : 'core:merchant_terminals:create'}
      latest={latest !== null && isOfNow(latest) ? latest : null}
    />
  )
}

const RECENT_MS = 15 * 60_000

const isOfNow = ({ settledAt }: CommandView): boolean =>
  settledAt === null || Date.parse(settledAt) > Date.now() - RECENT_MS
