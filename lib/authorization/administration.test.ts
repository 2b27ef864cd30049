import { expect, test } from 'vitest'
import { Session } from '#lib/session/session.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { freshWorld } from '#lib/testing/test-service.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { permits, refusedFrom } from './judge.ts'

const BOTH = 'core:transactions:confirm,core:disputes:resolve'
const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

const may = (session: Session) => permits(session, 'othersSessions.write')

/** The same person, signed in with single sign-on. */
const bySso = (session: Session, adminByClaim: boolean) =>
  new Session({ ...session, method: 'sso', adminByClaim }, Buffer.alloc(32), { idHash: '', isReplaced: false })

test('nobody administers where nothing says who, not even who may do everything at the service', async () => {
  const service = await freshWorld()
  const admin = await signedIn(service, 'admin@example.com', idOf('3'))
  for (const session of [admin, bySso(admin, false)]) expect(await may(session)).toBe(false)
  expect(await refusedFrom(admin, 'othersSessions.read')).toMatchObject({
    administration: true,
    known: true,
    scopes: [],
  })
})

test('where scopes decide, it takes all of them, known for certain', async () => {
  const service = await freshWorld({ STAFF_ADMIN_SCOPES: BOTH })
  const admin = await signedIn(service, 'admin@example.com', idOf('3'))
  expect(await may(admin)).toBe(true)
  expect(await may(bySso(admin, false))).toBe(true)
  for (const [email, end] of [
    ['operator@example.com', '1'],
    ['arbitrator@example.com', '2'],
    ['viewer@example.com', '4'],
  ] as const) {
    expect(await may(await signedIn(service, email, idOf(end))), email).toBe(false)
  }
  const unread = await signedInUnread(service, 'admin@example.com')
  expect(await refusedFrom(unread, 'othersSessions.read')).toMatchObject({ known: false })
})

test('where a claim decides, no scope makes an administrator with single sign-on, and no claim one with a password', async () => {
  const service = await freshWorld({ STAFF_ADMIN_CLAIM: 'groups=console-admins', STAFF_ADMIN_SCOPES: BOTH })
  const admin = await signedIn(service, 'admin@example.com', idOf('3'))
  expect(await may(bySso(admin, false))).toBe(false)
  expect(await may(bySso(admin, true))).toBe(true)
  expect(await may(admin)).toBe(true)
  configureForTest({ STAFF_ADMIN_CLAIM: 'groups=console-admins', CORE_API_URL: service.url })
  expect(
    await may(new Session({ ...admin, adminByClaim: true }, Buffer.alloc(32), { idHash: '', isReplaced: false })),
  ).toBe(false)
})
