'use client'

import { useOwnCases } from '#components/frame/own-cases.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { sameAccount } from '#lib/values/user-id.ts'

/** A case's thread as it is known of one's own cases, which are asked for every few seconds; else as a list has it. */
export const useThreadState = (caseId: string, listed: ThreadState | null): ThreadState | null =>
  useOwnCases()?.cases.find(({ id }) => sameAccount(id, caseId))?.thread ?? listed
