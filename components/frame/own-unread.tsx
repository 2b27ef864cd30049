'use client'

import { unreadIn } from '#lib/disputes/unread/assigned-cases.ts'
import { useOwnCases } from './own-cases.ts'

export const OwnUnread = () => <OwnUnreadCount count={unreadIn(useOwnCases())} />

const SHOWN_MAX = 99

export function OwnUnreadCount({ count }: { count: number }) {
  if (count === 0) return null
  const exact = count.toLocaleString('en-US')
  return (
    <span
      title={`${exact} unread, in cases of which you are the assignee`}
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
      <span className="rail-word">&nbsp;unread</span>
    </span>
  )
}
