import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel, PanelOutline, TwoColumns } from '#components/frame/panel.tsx'
import { Reference } from '#components/values/reference.tsx'
import { cardIdFault } from '#lib/cards/card.ts'
import { isCardNumber } from '#lib/cards/card-search.ts'
import { readCard } from '#lib/cards/card-service.ts'
import { moreOfHolder, printedNameOf, readOnRegister } from '#lib/cards/issued-cards.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { PolicyNotes } from '../../access-notes.tsx'
import { CARD_NUMBER_ADDRESS, readOrSignIn, recordShown, segmentId } from '../../page-reads.tsx'
import { Pin } from '../../recent-things.tsx'
import { SearchForm } from '../search-form.tsx'
import { CardActions } from './card-actions.tsx'
import { AtServicePanel, RegisterPanel } from './card-panels.tsx'

export default async function CardPage({ params }: { params: Promise<{ cardId: string }> }) {
  const session = await requireSession()
  const cardId = segmentId((await params).cardId)
  if (isCardNumber(cardId)) redirect(CARD_NUMBER_ADDRESS)
  const fault = cardIdFault(cardId)
  if (fault === null) {
    return (
      <Suspense key={cardId} fallback={<CardOutline cardId={cardId} />}>
        <FoundCard session={session} cardId={cardId} />
      </Suspense>
    )
  }
  return (
    <>
      <PageHead title="Card" lead="This is not a valid card id." />
      <Panel title="Search" className="max-w-3xl">
        <div className="px-3.5 pt-3.5 pb-1.5">
          <SearchForm find={cardId} fault={fault} idAlone />
        </div>
      </Panel>
    </>
  )
}

const CardOutline = ({ cardId }: { cardId: string }) => (
  <>
    <PageHead title="Card" lead={<Reference value={cardId} name="Card id" whole />} />
    <TwoColumns>
      <PanelOutline title="Card" lines={8} />
      <PanelOutline title="Block this card" lines={5} />
    </TwoColumns>
  </>
)

async function FoundCard({ session, cardId }: { session: Session; cardId: string }) {
  const [onRegister, atService, access, latest] = await Promise.all([
    readOnRegister(session, cardId),
    readOrSignIn(readCard(session, cardId)),
    readAccess(session),
    latestCommand(session, 'card.block', cardId),
  ])
  const refusal = onRegister !== null && 'scopes' in onRegister ? onRegister : null
  const card = onRegister === null || 'scopes' in onRegister ? null : onRegister
  const more = card === null ? 0 : await moreOfHolder(card)
  const hidden = !atService.ok && atService.problem.kind === 'service' && atService.problem.status === 404
  if (card !== null || atService.ok) {
    const last4 = card?.last4 ?? (atService.ok ? atService.value.last4 : '')
    recordShown(session, { kind: 'card', id: cardId }, `ending ${last4}`)
  }
  const blocked = card?.blocked_at != null || (atService.ok && atService.value.status === 'BLOCKED')
  return (
    <>
      <PageHead
        tab="Card"
        title={card === null ? 'Card' : `Card ending ${card.last4}`}
        lead={
          <>
            <Reference value={cardId} name="Card id" whole />
            {blocked ? null : <PolicyNotes session={session} kind="card.block" />}
          </>
        }
        action={<Pin session={session} thing={{ kind: 'card', id: cardId }} />}
      />
      <CardActions
        cardId={cardId}
        registered={card !== null}
        hasName={card !== null && printedNameOf(card) !== ''}
        registerHidden={refusal !== null}
        blocked={blocked}
        missingScope={may(access, 'core:cards:manage') ? null : 'core:cards:manage'}
        missingIssueScope={may(access, 'core:cards:create') ? null : 'core:cards:create'}
        latest={latest}
      >
        {card === null ? null : <RegisterPanel card={card} more={more} hiddenAtService={hidden} />}
        {hidden && card !== null ? null : <AtServicePanel cardId={cardId} result={atService} refusal={refusal} />}
      </CardActions>
    </>
  )
}
