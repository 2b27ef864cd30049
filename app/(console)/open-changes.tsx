import { CommandRow } from '#components/command/command-row.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { MoreLink } from '#components/values/more-link.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { CommandView, OpenChanges as Open } from '#lib/commands/command.ts'

interface OpenChangesProps {
  open: Open
  /** Why the list may be outdated; empty when it is current. */
  stale: string
}

export function OpenChanges({ open, stale }: OpenChangesProps) {
  const { unknown, watched } = splitOpen(open)
  // The numbers at the top already show zero, so one panel replaces two empty lists.
  const quiet = countAttention(open) === 0 && countWatched(open) === 0
  return (
    <div className="grid gap-4" aria-live="polite">
      {stale === '' ? null : (
        <p role="alert" className="text-attention text-sm">
          {stale}
        </p>
      )}
      <List
        title="Needs attention"
        meaning={countAttention(open) === 0 ? 'neutral' : 'unknown'}
        commands={[...open.late, ...open.unhandled, ...unknown]}
        unseen={open.unseen.unknown + open.unseen.unhandled}
        more={open.more.unknown + open.more.unhandled}
        moreHref="/activity?outcome=attention"
        moreLate={open.more.late}
        empty={quiet ? 'Nothing needs attention, and no change is being watched.' : 'Nothing needs attention.'}
      />
      {quiet ? null : (
        <List
          title="Being watched"
          meaning="neutral"
          commands={watched}
          unseen={open.unseen.accepted}
          more={open.more.accepted}
          moreHref="/activity?outcome=working"
          empty="No change is being watched."
        />
      )}
    </div>
  )
}

const needsAttention = ({ outcome, settledByHand }: CommandView): boolean =>
  outcome.class === 'unknown' || (outcome.class === 'accepted' && settledByHand)

/** Splits only the changes that the operator may see. */
export const splitOpen = ({ seen }: Open) => ({
  unknown: seen.filter(needsAttention),
  watched: seen.filter((command) => command.outcome.class === 'accepted' && !needsAttention(command)),
})

/** Includes changes that the operator may not see. */
export const countAttention = (open: Open): number =>
  open.late.length +
  open.unhandled.length +
  splitOpen(open).unknown.length +
  open.unseen.unknown +
  open.unseen.unhandled +
  open.more.unknown +
  open.more.unhandled

/** Includes changes that the operator may not see. */
export const countWatched = (open: Open): number =>
  splitOpen(open).watched.length + open.unseen.accepted + open.more.accepted

interface ListProps {
  title: string
  meaning: 'neutral' | 'unknown'
  commands: readonly CommandView[]
  /** The number of further changes that the operator may not see. */
  unseen: number
  /** The number of changes beyond the read limit, of all operators. */
  more: number
  moreHref: string
  moreLate?: boolean
  empty: string
}

const List = ({ title, meaning, commands, unseen, more, moreHref, moreLate = false, empty }: ListProps) => (
  <Panel
    title={title}
    meaning={meaning}
    aside={<span className="figures text-muted-foreground text-sm">{countWords(commands.length + unseen + more)}</span>}
  >
    {commands.length + unseen === 0 ? (
      <p className="px-3.5 py-4 text-secondary-foreground text-sm">{empty}</p>
    ) : (
      <ul>
        {commands.map((command) => (
          <CommandRow key={command.id} command={command}>
            <span className="min-w-0 break-words text-muted-foreground">
              {command.actorName},{' '}
              <span className="whitespace-nowrap">
                <Timestamp value={command.sentAt ?? ''} as="past" />,
              </span>{' '}
              {lookWords(command)}
            </span>
          </CommandRow>
        ))}
      </ul>
    )}
    {unseen === 0 ? null : (
      <p className="border-t px-3.5 py-2.5 text-secondary-foreground text-sm first:border-t-0">
        {unseen.toLocaleString('en-US')} {unseen === 1 ? 'change' : 'changes'} of others, of which your scopes show
        nothing
      </p>
    )}
    <MoreLink count={more} href={moreHref} />
    <MoreLink count={moreLate ? null : 0} href="/activity?outcome=late" />
  </Panel>
)

function lookWords({ outcome, nextReconcileAt, settledByHand }: CommandView): string {
  if (outcome.class === 'done') return 'no effect had shown before'
  if (settledByHand || !isOpen(outcome)) return 'needs your decision'
  return nextReconcileAt === null ? 'waits for someone who may look' : 'being checked'
}

const isOpen = (outcome: CommandView['outcome']): boolean => outcome.class === 'unknown' || outcome.class === 'accepted'

export const countWords = (count: number): string =>
  count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`
