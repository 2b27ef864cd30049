import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel, PanelOutline, TwoColumns } from '#components/frame/panel.tsx'
import { queryOf, readTableState, type SearchParams } from '#components/table/table-state.ts'
import { FileUp } from '#components/ui/icons.tsx'
import { peopleWithRoom, readRoom } from '#lib/commands/policy/room.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { confirmFault } from '#lib/deposits/amounts.ts'
import { type ConfirmedDeposit, confirmersLately, readConfirmedDeposits } from '#lib/deposits/confirmed-deposits.ts'
import { isSearch, readConfirmedSearch, searchWords } from '#lib/deposits/confirmed-search.ts'
import { RECIPIENT_FAULT } from '#lib/deposits/deposit.ts'
import { handOversOf } from '#lib/deposits/hand-over.ts'
import type { Result } from '#lib/service/client.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { depositPlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { referenceFault } from '#lib/transactions/transaction.ts'
import { readTransaction } from '#lib/transactions/transaction-service.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { cleanReference } from '#lib/values/text.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { ApprovalNote, LimitNote } from '../access-notes.tsx'
import { LookUpForm } from '../look-up-form.tsx'
import { RenderWithin, readOrSignIn, startRead } from '../page-reads.tsx'
import { ConfirmDeposit } from './confirm-deposit.tsx'
import { ConfirmedTable } from './confirmed-table.tsx'
import type { DepositFacts, FoundDeposit } from './deposit-facts.tsx'
import { CONFIRMERS, SearchConfirmed } from './search-confirmed.tsx'

const OUTLINE_AFTER_MS = 1_000

export default async function DepositsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const written = query.get('reference')
  const reference = cleanReference(written ?? '')
  const found = reference === '' || referenceFault(reference) !== null ? null : readTransaction(session, reference)
  return (
    <>
      <PageHead
        title="Deposits"
        lead={
          <>
            Match the bank’s payment with the announced deposit, then confirm it.
            <ApprovalNote kind="deposit.confirm" />
          </>
        }
        action={
          <ButtonLink href="/deposits/statements" variant="outline">
            <FileUp aria-hidden />
            Import statement
          </ButtonLink>
        }
      />
      <div className="grid gap-4">
        {found === null ? (
          <TwoColumns>
            <Panel title="Confirm a deposit">
              <p className="px-3.5 pt-3 text-secondary-foreground text-sm empty:hidden">
                <LimitNote session={session} kind="deposit.confirm" />
              </p>
              <div className="p-3.5">
                <LookUp key={written} value={written} />
              </div>
            </Panel>
          </TwoColumns>
        ) : (
          // Inside a suspense boundary React would render the form again and lose text that was typed before hydration.
          <RenderWithin
            key={reference}
            content={startRead(readFoundDeposit({ session, reference, written, found }))}
            outline={<PanelOutline title="Confirm a deposit" lines={6} />}
            withinMs={OUTLINE_AFTER_MS}
          />
        )}
        <TableViews session={session} table="confirmed-deposits" path="/deposits" query={query}>
          <SearchConfirmed query={query} />
          <RenderWithin
            content={startRead(readConfirmedHere({ session, query, reference, found }))}
            outline={<ConfirmedTable reading={{ kind: 'loading' }} everyone />}
          />
        </TableViews>
      </div>
    </>
  )
}

const LookUp = (props: { value: string | null; takesFocus?: boolean }) => (
  <LookUpForm to="deposits" help="From the bank notice, exactly as written." {...props} />
)

interface FoundOptions extends Omit<ConfirmedHereOptions, 'query'> {
  written: string | null
  found: Promise<Result<Transaction>>
}

async function readFoundDeposit({ session, reference, written, found }: FoundOptions) {
  const [result, access, latest, unsent] = await Promise.all([
    readOrSignIn(found),
    readAccess(session),
    latestCommand(session, 'deposit.confirm', reference),
    readUnsentText(session, depositPlace(reference)),
  ])
  return (
    <ConfirmDeposit
      lookUp={<LookUp value={written} takesFocus={!result.ok} />}
      found={result.ok ? await readFound(session, result.value) : null}
      problem={result.ok ? null : result.problem}
      missingScope={may(access, 'core:transactions:confirm') ? null : 'core:transactions:confirm'}
      latest={latest}
      unsent={unsent}
      renderedAtMs={Date.now()}
    />
  )
}

/** With what the reader's limits leave for it, and to whom it can be handed. */
async function readFound(session: Session, transaction: Transaction): Promise<FoundDeposit> {
  const facts = factsOf(session, transaction)
  if (facts.fault !== null) return { facts, room: [], handOver: null, colleagues: null }
  const deposit = { kind: 'deposit.confirm', amount: facts.debit } as const
  const [room, handOvers] = await Promise.all([readRoom(session, deposit), handOversOf(session, [facts.reference])])
  const isOver = room?.some(({ beyond }) => beyond !== null)
  const people = isOver ? await peopleWithRoom(await store(), session, deposit) : null
  // The recipient cannot confirm it.
  const colleagues = people?.filter(({ actor }) => !sameAccount(actor, `sso:${facts.toAccountId}`)) ?? null
  return { facts, room, handOver: handOvers.get(facts.reference) ?? null, colleagues }
}

function factsOf(session: Session, transaction: Transaction): DepositFacts {
  const { referenceId: reference, debit, credit, state, toAccountId, createdAt, note, transactionType } = transaction
  const fault = confirmFault(transaction) ?? (sameAccount(toAccountId, session.userId) ? RECIPIENT_FAULT : null)
  return { reference, debit, credit, state, toAccountId, createdAt, note, transactionType, fault }
}

interface ConfirmedHereOptions {
  session: Session
  query: URLSearchParams
  reference: string
  /** The transaction that the page reads anyway; null when there is none. */
  found: Promise<Result<Transaction>> | null
}

/** Waits for the deposit that the operator looked up and uses that read, so it is read only once. */
async function readConfirmedHere({ session, query, reference, found }: ConfirmedHereOptions) {
  const { search, faults } = readConfirmedSearch(query)
  const { page, size } = readTableState(query).state
  const known = found === null ? null : { reference, result: await found }
  const [{ everyone, scopesKnown, deposits, total }, people] = await Promise.all([
    readConfirmedDeposits(session, { page, size }, known, search),
    confirmersLately(session),
  ])
  if (deposits.some(({ unread }) => typeof unread === 'object' && unread?.kind === 'session-over')) {
    return await leaveForSignIn()
  }
  const rows = deposits.map((deposit) => {
    return { readable: true, value: { ...deposit, unread: readFaultOf(deposit.unread) } } as const
  })
  return (
    <>
      <datalist id={CONFIRMERS}>
        {people.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ConfirmedTable
        reading={{ kind: 'rows', rows, total }}
        {...{ everyone, scopesKnown, faults }}
        searched={isSearch(search) ? searchWords(search, config().businessZone) : null}
      />
    </>
  )
}

function readFaultOf(unread: ConfirmedDeposit['unread']): string | null {
  if (unread === 'not-read') return 'The service did not answer for all deposits. Reload to try again.'
  return unread === null ? null : `${problemWords(unread).title}.`
}
