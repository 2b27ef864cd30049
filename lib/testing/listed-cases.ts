import { vi } from 'vitest'
import { perProcess } from '#lib/config/per-process.ts'
import { recordCases } from '#lib/disputes/queue/case-index.ts'
import { waitForSweep } from '#lib/disputes/queue/case-sweeps.ts'
import { type CaseList, everyOpenCase, type QueueView } from '#lib/disputes/queue/queue.ts'
import { nextUnassigned, queueFor } from '#lib/disputes/queue/queue-view.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Session } from '#lib/session/session.ts'
import { ok, type Scripted, ScriptedService } from './scripted-service.ts'
import { freshConsole } from './test-console.ts'
import { openForTest, signInForTest } from './test-sessions.ts'

export const ME = '00000000-0000-4000-8000-000000000003'
export const ANA = '00000000-0000-4000-8000-000000000011'
export const BEN = '00000000-0000-4000-8000-000000000012'

/** The request for a page of everybody's cases, as a script names it. */
export const pageOf = (page: number): string => `GET /api/v1/Dispute?all=true&page=${page}&pageSize=100`
export const FIRST_PAGE = pageOf(1)

export const idOf = (number: number): string => `c0000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A case between two others; the higher its number, the younger. */
export const caseOf = (number: number, change: Partial<ThreadCase> = {}): ThreadCase => ({
  id: idOf(number),
  referenceId: `reference ${number}`,
  raisedByUserId: ANA,
  counterpartyUserId: BEN,
  status: 'OPEN',
  reason: 'The goods never came.',
  resolutionOutcome: null,
  resolutionReason: null,
  resolvedByUserId: null,
  createdAt: `2026-07-01T10:00:00.${String(number).padStart(7, '0')}Z`,
  resolvedAt: null,
  ...change,
})

export const recordCase = (found: ThreadCase, seenAt = new Date().toISOString()): Promise<void> =>
  recordCases([found], seenAt)

/** A list of one page. */
export const list = (...cases: readonly unknown[]): Scripted => ok({ cases, totalCount: cases.length })

/** Has the service tell of so many cases, a hundred a page; those of which `change` makes null are left out. */
export function tellOf(
  service: ScriptedService,
  count: number,
  change: (number: number) => Partial<ThreadCase> | null = () => ({}),
): void {
  const cases = Array.from({ length: count }, (_, at) => at + 1).flatMap((number) => {
    const changed = change(number)
    return changed === null ? [] : [caseOf(number, changed)]
  })
  for (let page = 1; page <= Math.ceil(count / 100); page += 1) {
    service.on(pageOf(page), ok({ cases: cases.slice((page - 1) * 100, page * 100), totalCount: cases.length }))
  }
}

/** The first hundred cases of a list, as the queue tells of them. */
export const queueOfList = (session: Session, which: CaseList): Promise<QueueView> =>
  queueFor(session, { ...everyOpenCase, list: which }, { page: 1, size: 100 })

/** The id of the case that would be assigned next; null where none is. */
export const nextCase = async (session: Session): Promise<string | null> =>
  (await nextUnassigned(session, everyOpenCase)).cases[0]?.id ?? null

/** Another session of one who may decide cases. */
export const signedIn = async (actor: string, userId = ME): Promise<Session> =>
  await openForTest(await signInForTest({ actor, userId }))

interface FreshQueue {
  /** One for all tests of a worker. It ends with the worker. */
  readonly service: ScriptedService
  readonly session: Session
}

/** A console with an empty store before a service that has no answer yet, and somebody signed in who decides cases. */
export async function freshQueue(): Promise<FreshQueue> {
  const service = await perProcess('service of cases', () => ScriptedService.start())
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: ['disputes:resolve'] }))
  return { service, session: await signedIn('sso:me') }
}

export const swept = (): Promise<void> => waitForSweep(20_000)

/** Lets the clock alone go on, until `vi.useRealTimers()`. */
export function letPass(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}
