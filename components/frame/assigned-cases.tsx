'use client'

import { createContext, type ReactNode, useSyncExternalStore } from 'react'
import { listeners } from '#components/ui/hydrated.tsx'
import type { DecisionTarget } from '#lib/disputes/case-state.ts'
import { type AssignedCases, unreadIn } from '#lib/disputes/unread/assigned-cases.ts'
import { formatCount } from '#lib/values/words.ts'
import { titleOf } from './brand.tsx'

/** Set in the browser only. The page reloads for another operator. */
let latest: AssignedCases | null = null
let latestText = ''
let isPushed = false
const { listen, tell } = listeners<AssignedCases | null>()

/** Null for an operator who cannot have cases. After a push, takes only pushes: others may be older. */
export function announceAssignedCases(own: AssignedCases | null, isPush = false): void {
  isPushed ||= isPush
  const text = JSON.stringify(own)
  // Keeps the object, so that React does not render again.
  if (text !== latestText && isPush === isPushed) [latest, latestText] = [own, text]
  tell(latest)
}

/** Also called when an announcement repeats the previous one. */
export const onAssignedCases = listen

/** Null before the first announcement. */
export const useAssignedCases = (): AssignedCases | null =>
  useSyncExternalStore(
    onAssignedCases,
    () => latest,
    () => null,
  )

/** {@link PageTitle} with the number of unread messages. */
export const CountedTitle = ({ children }: { children: string }) => (
  <title>{countedTitle(unreadIn(useAssignedCases()), children)}</title>
)

export const countedTitle = (unread: number, page: string): string =>
  `${unread === 0 ? '' : `(${unread}) `}${titleOf(page)}`

export const AssignedUnread = () => <UnreadCount count={unreadIn(useAssignedCases())} />

const SHOWN_MAX = 99

export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null
  const exact = formatCount(count)
  return (
    <span
      title={`${exact} unread in your cases`}
      className="own-unread figures inline-flex items-center rounded-full bg-working-wash px-1.5 font-[550] text-working text-xs"
    >
      {count > SHOWN_MAX ? (
        <>
          <span aria-hidden>{SHOWN_MAX}+</span>
          <span className="sr-only">{exact}</span>
        </>
      ) : (
        exact
      )}
      <span className="sr-only">&nbsp;unread</span>
    </span>
  )
}

export const DisputeTargetContext = createContext<DecisionTarget>({ hours: 72, spans: null })

/** A separate file, so that the frame does not load the code that shows ages. */
export function DisputeTarget({ target, children }: { target: DecisionTarget; children: ReactNode }) {
  return <DisputeTargetContext value={target}>{children}</DisputeTargetContext>
}
