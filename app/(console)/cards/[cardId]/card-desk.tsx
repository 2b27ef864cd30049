'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { buttonLook } from '#components/ui/button-look.ts'
import { Panel } from '#components/ui/panel.tsx'
import type { CommandView } from '#lib/domain/command.ts'
import { BlockForm } from './block-form.tsx'

interface CardDeskProps {
  cardId: string
  /** Whether the register knows the card, so that a replacement can take over what it knows. */
  registered: boolean
  /** As far as anybody here knows. */
  blocked: boolean
  missingScope: string | null
  missingIssueScope: string | null
  /** What this console last did to block the card. */
  latest: CommandView | null
  /** What is known of the card. */
  children: ReactNode
}

/** One card: what is known, the way to block it, and at the right what came of that. */
export function CardDesk(props: CardDeskProps) {
  const { cardId, registered, missingScope, missingIssueScope, latest, children } = props
  const router = useRouter()
  const command = useCommand(latest, () => router.refresh())
  const { state } = command
  const blocked = props.blocked || (state.step === 'told' && state.command.outcome.class === 'done')
  const form = (
    <BlockForm
      registered={registered}
      missingScope={missingScope}
      faults={command.faults}
      checking={state.step === 'checking'}
      onPrepare={(params) => command.prepare('card.block', { cardId, ...params })}
    />
  )
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
      <div className="grid gap-4">
        {children}
        <Panel title={blocked ? 'Blocked' : 'Block this card'}>
          {blocked ? (
            <>
              <Replacement cardId={registered ? cardId : null} missingScope={missingIssueScope} />
              {/* A card that somebody only said is blocked must not be out of reach. */}
              <details className="border-line border-t">
                <summary className="px-3.5 py-2.5 text-ink-2 text-sm">
                  Not certain that it is? Send the block again
                </summary>
                {form}
              </details>
            </>
          ) : (
            form
          )}
        </Panel>
      </div>
      <div className="grid gap-4">
        <CommandOutcome command={command} />
      </div>
      <CommandDialogs command={command} danger />
    </div>
  )
}

interface ReplacementProps {
  /** Null when the register knows nothing to take over. */
  cardId: string | null
  missingScope: string | null
}

const Replacement = ({ cardId, missingScope }: ReplacementProps) => (
  <div className="flex flex-wrap items-center gap-3 px-3.5 py-3 text-sm">
    <p className="min-w-48 flex-1 text-ink-2">
      It never pays again, and nobody can unblock it.{' '}
      {missingScope === null ? replacementWords(cardId) : `Issuing another one needs the scope ${missingScope}.`}
    </p>
    {missingScope === null ? (
      <Link
        href={cardId === null ? '/cards/issue' : `/cards/issue?${new URLSearchParams({ replaces: cardId })}`}
        prefetch={false}
        className={buttonLook({ look: 'go' })}
      >
        Issue a replacement
      </Link>
    ) : null}
  </div>
)

const replacementWords = (cardId: string | null): string =>
  cardId === null
    ? 'The register does not know its holder, so the replacement starts with empty fields.'
    : 'A replacement takes over its holder, type and name.'
