'use client'

import { unreadIn } from '#lib/disputes/unread/assigned-cases.ts'
import { useOwnCases } from './own-cases.ts'
import { titleOf } from './page-title.tsx'

/** {@link PageTitle} with the number of unread messages. */
export const CountedTitle = ({ children }: { children: string }) => (
  <title>{countedTitle(unreadIn(useOwnCases()), children)}</title>
)

export const countedTitle = (unread: number, page: string): string =>
  `${unread === 0 ? '' : `(${unread}) `}${titleOf(page)}`
