'use client'

import { unreadIn } from '#lib/disputes/unread/own-cases.ts'
import { useOwnCases } from './own-cases.ts'
import { titleOf } from './page-title.tsx'

/** {@link PageTitle} of a signed-in person's page, with how many messages are unread in their own cases. */
export const CountedTitle = ({ children }: { children: string }) => (
  <title>{countedTitle(unreadIn(useOwnCases()), children)}</title>
)

export const countedTitle = (unread: number, page: string): string =>
  `${unread === 0 ? '' : `(${unread}) `}${titleOf(page)}`
