import { beforeEach, expect, test } from 'vitest'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import { changeFeed } from '#lib/stream/change-feed.ts'
import { openEventStream } from '#lib/stream/feeds.ts'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { caseOf, FIRST_PAGE, freshQueue, idOf, list, ME, recordCase, signedIn } from '#lib/testing/listed-cases.ts'
import { ok, type ScriptedService } from '#lib/testing/scripted-service.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { dropUnseenSince } from './case-index.ts'
import { followedQueue } from './followed-queue.ts'
import { everyOpenCase, type FollowedQueue, type QueueUpdate } from './queue.ts'

let service: ScriptedService
let session: Session

beforeEach(async () => {
  ;({ service, session } = await freshQueue())
})

const page: FollowedQueue = {
  ...{ filter: everyOpenCase, places: { page: 1, size: 20 } },
  shown: { ids: [idOf(1), idOf(2)], arrival: 1_000 },
}

/** What a page that shows two cases is told. */
function follow(of: Session) {
  const told: QueueUpdate[] = []
  const body = openEventStream(of, { topics: [`queue ${JSON.stringify(page)}`] })
  const listen = async () => {
    for await (const part of body) {
      for (const [, data] of new TextDecoder().decode(part).matchAll(/^data: (.*)$/gm)) {
        const event = JSON.parse(data ?? '') as StreamEvent
        if (event.type === 'topic' && event.result.ok) told.push(event.result.value as QueueUpdate)
      }
    }
  }
  const ended = listen()
  return {
    told,
    latest: () => told.at(-1)?.queue,
    async stop() {
      await endSession(of.id, 'signed-out')
      await ended
    },
  }
}

test('who follows the queue is told its rows, then what a colleague takes and decides, newer each time', async () => {
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(2)))
  const { told, latest, stop } = follow(session)
  await eventually(() => expect(latest()?.rows).toMatchObject([{ claim: null }, { claim: null }]))
  await claimedBy('sso:other', idOf(2))
  await eventually(() => expect(latest()?.rows[1]).toMatchObject({ claim: { mine: false } }))
  await recordCase(caseOf(1, { status: 'RESOLVED' }))
  await eventually(() =>
    expect(latest()).toMatchObject({ rows: [{ id: idOf(2) }], total: 1, since: { elsewhere: [] } }),
  )
  const versions = told.map(({ queue }) => queue.version)
  expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  expect(new Set(versions).size).toBe(versions.length)
  const before = told.length
  // A wake without a change is no event: the next event is that of the next change.
  await inTransaction(await store(), (trx) => trx.insertInto('news').values({ key: 'queue' }).execute())
  await changeFeed().read()
  await recordCase(caseOf(3))
  await eventually(() => expect(latest()?.total).toBe(2))
  expect(told.length).toBe(before + 1)
  await stop()
})

test('reports new, changed and removed cases only', async () => {
  const db = await store()
  const told = async () => (await db.selectFrom('news').select('id').where('key', '=', 'queue').execute()).length
  const before = await told()
  await recordCase(caseOf(1), '2026-07-01T10:00:00.000Z')
  expect(await told()).toBe(before + 1)
  await recordCase(caseOf(1), '2026-07-01T10:00:01.000Z')
  expect(await told()).toBe(before + 1)
  await recordCase(caseOf(1, { resolutionOutcome: 'REFUNDED' }), '2026-07-01T10:00:02.000Z')
  expect(await told()).toBe(before + 2)
  await dropUnseenSince(db, '2026-07-01T10:00:03.000Z', [])
  expect(await told()).toBe(before + 3)
})

test('tells a party nothing about assignees or other cases', async () => {
  service.on(FIRST_PAGE, list(caseOf(1), caseOf(2)))
  const admin = follow(session)
  await eventually(() => expect(admin.latest()?.rows).toHaveLength(2))
  service.on(FIRST_PAGE, list(caseOf(1, { counterpartyUserId: ME })))
  service.on(`GET /api/v1/Users/${ME}/scopes`, ok({ userId: ME, roles: [], scopes: ['disputes:read'] }))
  const party = follow(await signedIn('sso:me'))
  await eventually(() => expect(party.latest()?.rows).toMatchObject([{ id: idOf(1), claim: 'hidden' }]))
  await claimedBy('sso:other', idOf(1))
  await claimedBy('sso:other', idOf(2))
  await eventually(() => expect(admin.latest()?.rows[1]).toMatchObject({ claim: { mine: false } }))
  expect(JSON.stringify(party.told)).not.toContain(idOf(2))
  expect(JSON.stringify(party.told)).not.toContain('sso:other')
  await Promise.all([admin.stop(), party.stop()])
})

test.each([
  '',
  'page=1',
  '{}',
  JSON.stringify({ ...page, more: 1 }),
  JSON.stringify({ ...page, places: { page: 1, size: 101 } }),
  JSON.stringify({ ...page, shown: { ids: ['x'], arrival: 0 } }),
  JSON.stringify({ ...page, filter: { ...everyOpenCase, text: '\u0000' } }),
])('what a page of another version asks for is nothing that can be followed: %s', (param) => {
  expect(followedQueue(param)).toBeNull()
})
