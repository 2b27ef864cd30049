import { Panel, TextLink } from '#components/frame/panel.tsx'
import { ProblemMarks, ProblemPanel } from '#components/service/problem-panel.tsx'
import { badgeOf } from '#components/ui/badge.tsx'
import { Ban } from '#components/ui/icons.tsx'
import { Fact, Facts, ReferenceFact, TimeFact } from '#components/values/facts.tsx'
import { StateBadge } from '#components/values/state-badge.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type Refusal, scopeWords } from '#lib/authorization/judge.ts'
import type { IssuedCardRow } from '#lib/cards/issued-cards.ts'
import type { CardFacts } from '#lib/contract/cards.ts'
import type { Result } from '#lib/service/client.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'

interface RegisterPanelProps {
  card: IssuedCardRow
  /** The number of the holder's other cards on the register. */
  more: number
  /** The service does not show this card to the operator. */
  hiddenAtService: boolean
}

export function RegisterPanel({ card, more, hiddenAtService }: RegisterPanelProps) {
  const { blocked_at, blocked_by, block_reason } = card
  return (
    <Panel title="Card register" aside={blocked_at === null ? null : badgeOf(Ban, 'danger', 'Blocked here')}>
      <Facts className="sm:grid-cols-2 sm:gap-x-8">
        <ReferenceFact
          label="Holder"
          mark
          value={card.user_id}
          name="Holder"
          href={`/users/${encodeURIComponent(card.user_id)}`}
        />
        {more === 0 ? null : (
          <Fact label="Cards of this holder">
            <TextLink href={`/users/${encodeURIComponent(card.user_id)}/cards`}>{formatCount(more)} more</TextLink>
          </Fact>
        )}
        <Fact label="Last four">
          <span className="mono">{card.last4}</span>
        </Fact>
        <Fact label="Printed name">
          <bdi>{visibleText(card.printed_name)}</bdi>
        </Fact>
        <Fact label="Card type">{`${card.card_type} ${visibleText(card.card_type_name)}`.trim()}</Fact>
        <TimeFact label="Issued" value={card.issued_at} />
        <Fact label="Issued by">{visibleText(card.issuer_name)}</Fact>
        <Fact label="Source">
          {card.came === 'issued' ? 'service response' : `read out by the holder to ${visibleText(card.recorded_by)}`}
        </Fact>
        {card.came === 'issued' ? null : <TimeFact label="Registered" value={card.recorded_at} />}
        {blocked_at === null ? null : <TimeFact label="Blocked" value={blocked_at} />}
        {blocked_by === null ? null : <Fact label="Blocked by">{visibleText(blocked_by)}</Fact>}
        {block_reason === null ? null : <Fact label="Reason">{visibleText(block_reason)}</Fact>}
      </Facts>
      {hiddenAtService ? (
        <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm">
          Only the holder can see whether this card is active or frozen.
        </p>
      ) : null}
    </Panel>
  )
}

interface AtServicePanelProps {
  cardId: string
  result: Result<CardFacts>
  /** Why the operator may not see the register; null when they may, and the card is not on it. */
  refusal: Refusal | null
}

/** The service shows a card only to its holder. */
export function AtServicePanel({ cardId, result, refusal }: AtServicePanelProps) {
  if (result.ok) return <OwnCardPanel card={result.value} />
  const { problem } = result
  return (
    <Panel title="At the service">
      {problem.kind === 'service' && problem.status === 404 ? (
        <div className="grid gap-2 px-3.5 py-3 text-sm">
          <p className="font-semibold">Not found, or not visible to you</p>
          <p className="max-w-prose text-secondary-foreground">
            Operators cannot read another user’s card. <OnRegisterWords refusal={refusal} />
          </p>
          <p className="max-w-prose text-secondary-foreground">
            If this is a user id, <TextLink href={`/users/${encodeURIComponent(cardId)}`}>open the user</TextLink>.
          </p>
          <ProblemMarks problem={problem} />
        </div>
      ) : (
        <ProblemPanel problem={problem} />
      )}
    </Panel>
  )
}

function OnRegisterWords({ refusal }: { refusal: Refusal | null }) {
  if (refusal === null) return 'It is not on this console’s register either. You can still block it.'
  if (!refusal.known) return 'Your scopes could not be read, so the card register is hidden. Try again in a moment.'
  return (
    <>
      Seeing the card register needs the scope <span className="mono">{scopeWords(refusal)}</span>.
    </>
  )
}

const OwnCardPanel = ({ card }: { card: CardFacts }) => (
  <Panel title="At the service: your own card" aside={<StateBadge state={card.status} of="card" />}>
    <Facts className="sm:grid-cols-2 sm:gap-x-8">
      <Fact label="Last four">
        <span className="mono">{card.last4}</span>
      </Fact>
      <ReferenceFact label="Holder" mark value={card.userId} name="Holder at the service" />
      <Fact label="Printed name">
        <bdi>{visibleText(card.printedName)}</bdi>
      </Fact>
      <Fact label="Card type">{`${card.cardType} ${visibleText(card.cardTypeName)}`.trim()}</Fact>
      <Fact label="Issued">{timeOr(card.issuedAt, 'not given')}</Fact>
      <Fact label="Activated">{timeOr(card.activatedAt, 'not yet')}</Fact>
      <Fact label="Frozen">{card.frozen ? timeOr(card.frozenAt, 'yes') : 'no'}</Fact>
    </Facts>
  </Panel>
)

const timeOr = (time: string | null, word: string) => (time === null ? word : <Timestamp value={time} />)
