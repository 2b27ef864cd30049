'use client'

import { unreadIn } from '#lib/disputes/unread/own-cases.ts'
import { useOwnCases } from './own-cases.ts'

/**
 * The page's title in the browser, with how many messages are unread in the person's own cases. Part of the page rather than
 * its metadata, which the framework puts in a moment after the page: in between there would be none.
 */
export const PageTitle = ({ children }: { children: string }) => (
  <title>{titleWith(unreadIn(useOwnCases()), children)}</title>
)

export const titleWith = (unread: number, page: string): string =>
  `${unread === 0 ? '' : `(${unread}) `}${page} · Operator Console`
