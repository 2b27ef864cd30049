import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import { cardIdFault, holderIdFault } from '#lib/cards/card.ts'
import { printedNameOf, readOnRegister, typedForIssue, visibleCardTypes } from '#lib/cards/issued-cards.ts'
import { namedCommand } from '#lib/commands/view.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { cleanReference } from '#lib/values/text.ts'
import { PolicyNotes } from '../../access-notes.tsx'
import { RenderWithAccess, startRead } from '../../page-reads.tsx'
import { IssueCard } from './issue-card.tsx'

/** The address holds only ids. The holder and the card to replace are read from the register. */
export default async function IssuePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const head = headFor(session)
  const content = startRead(readIssueForm(session, queryOf(await searchParams)))
  return <RenderWithAccess session={session} content={content} head={head} panel="New card" />
}

const headFor = (session: Session) => ({
  title: 'Issue a card',
  lead: (
    <>
      Issue a card to a holder. Only you see the full number, once.
      <PolicyNotes session={session} kind="card.issue" />
    </>
  ),
})

async function readIssueForm(session: Session, query: URLSearchParams) {
  const parameter = (name: string): string => cleanReference(query.get(name) ?? '')
  const [command, replacedId, holder] = [parameter('command'), parameter('replaces'), parameter('holder')]
  const [access, latest, typed, onRegister, types] = await Promise.all([
    readAccess(session),
    command === '' ? null : namedCommand(session, 'card.issue', command),
    command === '' ? null : typedForIssue(session, command),
    cardIdFault(replacedId) === null ? readOnRegister(session, replacedId) : null,
    visibleCardTypes(session),
  ])
  const replaced = onRegister === null || 'scopes' in onRegister ? null : onRegister
  return (
    <>
      <PageHead {...headFor(session)} />
      <IssueCard
        key={`${replacedId} ${holder}`}
        missingScope={may(access, 'core:cards:create') ? null : 'core:cards:create'}
        named={query.get('command')}
        latest={latest}
        typed={typed}
        holder={holderIdFault(holder) === null ? holder : ''}
        typesSeen={types?.map(({ card_type, name }) => ({ type: String(card_type), name })) ?? null}
        replaced={
          replaced && {
            id: replaced.id,
            last4: replaced.last4,
            blocked: replaced.blocked_at !== null,
            userId: replaced.user_id,
            cardType: String(replaced.card_type),
            printedName: printedNameOf(replaced),
          }
        }
      />
    </>
  )
}
