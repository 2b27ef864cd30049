import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { permits } from '#lib/authorization/judge.ts'
import { insertDraft, insertDraftIn, moveCommand, moveIn } from '#lib/commands/store.ts'
import { type Policy, readPolicy } from '#lib/config/policy.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dumpStore } from '#lib/testing/dump-store.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { type RehearsalFrame, rehearseFor } from './rehearsal-for.ts'

const POLICY = readPolicy('{"rules":[{"kind":"card.issue","approval":{"by":5}}]}') as Policy

const test = serviceTest
  .extend('environment', { STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve' })
  /** With a change of a person who is not known here. */
  .extend('service', async ({ service }) => {
    const db = await store()
    const id = randomUUID()
    const made = { id, kind: 'card.issue', actor: `sso:${userIdOf('9')}`, actorName: 'Mia', target: 'a', facts: '{}' }
    await insertDraft(db, { ...made, params: JSON.stringify({ userId: 'u' }) })
    await moveCommand(db, id, { from: ['draft'], to: 'sent' })
    await moveCommand(db, id, { from: ['sent'], to: 'done' })
    return service
  })

async function framesFor(session: Session): Promise<readonly RehearsalFrame[]> {
  const frames: RehearsalFrame[] = []
  for await (const frame of rehearseFor(session, POLICY, 7)) frames.push(frame)
  return frames
}

const rehearse = async (session: Session) => {
  const [last] = (await framesFor(session)).slice(-1)
  return last !== undefined && 'rehearsal' in last ? last.rehearsal : last
}

describe('the rehearsal of a page', () => {
  test('is for administrators alone', async ({ service, admin }) => {
    const others = [
      ['operator', '1'],
      ['arbitrator', '2'],
      ['viewer', '4'],
    ] as const
    expect(await permits(admin, 'policyRehearsal.read')).toBe(true)
    for (const [name, end] of others) {
      const session = await signedIn(service, `${name}@example.com`, userIdOf(end))
      expect(await permits(session, 'policyRehearsal.read'), name).toBe(false)
    }
    expect(await permits(await signedInUnread(service, 'admin@example.com'), 'policyRehearsal.read')).toBe(false)
  })

  test('counts changes that the reader may not see, without naming them', async ({ service, admin }) => {
    const blind = await signedInUnread(service, 'admin@example.com')
    expect(await rehearse(admin)).toMatchObject({
      kinds: [{ label: 'Issue a card', nobody: 1 }],
      people: [{ name: 'Mia', userId: userIdOf('9') }],
      unapprovable: [{ label: 'Issue a card', actorName: 'Mia' }],
      moreUnapprovable: 0,
    })
    expect(await rehearse(blind)).toMatchObject({ unapprovable: [], moreUnapprovable: 1 })
  })

  test('counts the people beyond the first 200', async ({ admin }) => {
    await inJournal(await store(), async (trx) => {
      for (let at = 0; at < 201; at += 1) {
        const made = { id: randomUUID(), kind: 'card.issue', actor: `sso:p${at}`, actorName: 'Ben' }
        await insertDraftIn(trx, { ...made, target: made.id, facts: '{}', params: '{"userId":"u"}' })
        await moveIn(trx, made.id, { from: ['draft'], to: 'sent' })
      }
    })
    const found = await rehearse(admin)
    expect(found).toMatchObject({ morePeople: 2, people: { length: 200 } })
  })

  test('stores nothing', async ({ admin }) => {
    await rehearse(admin)
    const before = await dumpStore()
    await rehearse(admin)
    expect(await dumpStore()).toEqual(before)
  })

  test('runs once at a time, and again after its reader left', async ({ admin }) => {
    const first = rehearseFor(admin, POLICY, 7)
    await first.next()
    expect(await framesFor(admin)).toMatchObject([{ problem: { status: 409 } }])
    await first.return()
    expect(await rehearse(admin)).toMatchObject({ sent: 1 })
  })

  test('tells of a store that fails', async ({ admin }) => {
    const { failing, remove } = await FailingStore.install()
    let frames: readonly RehearsalFrame[] = []
    await failing.live(1, 'before', async () => {
      frames = await framesFor(admin)
    })
    remove()
    expect(frames).toMatchObject([{ problem: { kind: 'console' } }])
  })
})
