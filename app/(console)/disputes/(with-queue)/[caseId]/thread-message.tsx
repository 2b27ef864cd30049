'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { ArrowDownLeft, ArrowUpRight, Flag, Gavel, type Icon } from '#components/ui/icons.tsx'
import { Fact, Facts } from '#components/values/facts.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ClockTime, Timestamp } from '#components/values/timestamp.tsx'
import { type CaseParties, type CaseRole, isAmong, roleIn } from '#lib/disputes/resolution.ts'
import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import { sameAccount } from '#lib/values/ids.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { countByRole } from './thread-items.ts'

export const Colleagues = createContext<Pick<CaseWorkspace, 'people' | 'authors'> | null>(null)

export function Colleague({ userId, name }: { userId: string; name: string }) {
  const { people = [], authors = [] } = useContext(Colleagues) ?? {}
  const known = [...people, ...authors].find(({ actor }) => sameAccount(actor, `sso:${userId}`))
  return known === undefined ? (
    <Reference value={userId} name={name} short mark className="text-muted-foreground" />
  ) : (
    <bdi className="min-w-0 truncate">{visibleText(known.name)}</bdi>
  )
}

const looks: Readonly<Record<CaseRole, { readonly icon: Icon; readonly ink: string; readonly bubble: string }>> = {
  Sender: { icon: ArrowUpRight, ink: 'text-sender', bubble: 'border-sender/35 bg-sender-wash' },
  Recipient: { icon: ArrowDownLeft, ink: 'text-recipient', bubble: 'border-recipient/35 bg-recipient-wash' },
  'Raised it': { icon: ArrowUpRight, ink: 'text-muted-foreground', bubble: 'bg-card' },
  'Other side': { icon: ArrowDownLeft, ink: 'text-muted-foreground', bubble: 'bg-muted' },
  Arbitrator: { icon: Gavel, ink: 'text-primary', bubble: 'border-transparent bg-accent' },
}

export function senderOf({ senderUserId }: ThreadMessage, parties: CaseParties, me: string | null): string {
  if (senderUserId === null) return 'The service'
  return isAmong(me, [senderUserId]) ? 'You' : roleIn(parties, senderUserId)
}

export interface MessageProps {
  message: ThreadMessage
  follows: boolean
  parties: CaseParties
  me: string | null
}

export function Message({ message, follows, parties, me }: MessageProps) {
  const { senderUserId, isSystemMessage, body, createdAt } = message
  if (isSystemMessage || senderUserId === null) {
    return (
      <div className="break-words px-2 text-center text-secondary-foreground text-xs">
        <Flag aria-hidden className="mr-2 inline size-3.5 align-text-bottom" />
        <span data-said className="mr-2">
          {visibleText(body)}
        </span>
        <Clock of={createdAt} />
      </div>
    )
  }
  const who = senderOf(message, parties, me)
  const role = isAmong(me, [senderUserId]) ? 'Arbitrator' : roleIn(parties, senderUserId)
  const ours = role === 'Arbitrator'
  return (
    <article
      aria-label={who}
      data-message={message.id}
      tabIndex={-1}
      className={cn(
        'grid gap-1 short:gap-0.5',
        ours ? 'justify-items-end' : 'justify-items-start',
        (role === 'Recipient' || role === 'Other side') && 'sm:pl-6',
      )}
    >
      {follows ? null : (
        <header className="flex max-w-full items-center gap-x-1.5 text-xs">
          <RoleIcon of={role} />
          <strong className="font-semibold">{who}</strong>
          {who === 'You' ? null : <Colleague userId={senderUserId} name="who wrote this" />}
        </header>
      )}
      <div className={cn('flex max-w-full items-end gap-2', ours && 'flex-row-reverse')}>
        <Bubble of={role}>{visibleText(body)}</Bubble>
        <Clock of={createdAt} />
      </div>
    </article>
  )
}

function RoleIcon({ of }: { of: CaseRole }) {
  const { icon: Icon, ink } = looks[of]
  return <Icon aria-hidden className={cn('size-3.5 shrink-0', ink)} />
}

export const PartyLabel = ({ of }: { of: 'Sender' | 'Recipient' }) => (
  <span className="inline-flex items-center gap-1.5">
    <RoleIcon of={of} />
    {of}
  </span>
)

const Clock = ({ of }: { of: string }) => (
  <span className="shrink-0 text-muted-foreground text-xs">
    <ClockTime value={of} to="minute" />
  </span>
)

export const Bubble = ({ of, children }: { of: CaseRole; children: ReactNode }) => (
  <p
    dir="auto"
    data-said
    className={cn(
      'min-w-0 max-w-152 whitespace-pre-wrap rounded-lg border px-3 py-2 short:py-1 [overflow-wrap:anywhere]',
      looks[of].bubble,
    )}
  >
    {children}
  </p>
)

interface MessageCountsProps {
  messages: readonly ThreadMessage[]
  /** Messages that the service counts and the console does not have. */
  unreadable: number
  parties: CaseParties
  onShow: (id: string) => void
}

export const MessageCounts = ({ messages, unreadable, parties, onShow }: MessageCountsProps) => (
  <Panel title="Messages">
    <Facts>
      {countByRole(messages, parties).map(({ role, count, first }) => (
        <Fact key={role} label={role === 'Arbitrator' ? 'Arbitrators' : role}>
          <span className="figures">
            {formatCount(count)}
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
          <span className="figures text-attention">{formatCount(unreadable)}</span>
        </Fact>
      )}
    </Facts>
  </Panel>
)
