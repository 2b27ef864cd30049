import { beforeEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { dumpStore } from '#lib/testing/dump-store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { ACCESS_TOKEN, openForTest, REFRESH_TOKEN, signInForTest } from '#lib/testing/test-sessions.ts'
import { unseal, wrappingKey } from './box.ts'
import { splitHandle } from './handle-table.ts'
import { findSession, saveTokens } from './session-table.ts'
import { boxFor, rotateHandle } from './vault.ts'

const RENEWED = { accessToken: 'canary-renewed-access-token', refreshToken: 'canary-renewed-refresh-token' }

/** Two sessions: one whose handle was replaced, one whose tokens were renewed. Answers every handle there was. */
async function useTheVault(): Promise<readonly string[]> {
  const [first, second] = [await signInForTest(), await signInForTest({ actor: 'sso:2' })]
  const rotated = await openForTest(first)
  await rotateHandle(rotated)
  const replaced = Session.newHandleOf(rotated) ?? ''
  const session = await openForTest(second)
  const row = (await findSession(await store(), session.id))!
  const times = { receivedAt: row.access_received_at, endsAt: row.access_ends_at }
  const box = boxFor(session, { ...RENEWED, ...times })
  await saveTokens(await store(), session.id, { serial: 2, box, ...times })
  return [first, replaced, second]
}

beforeEach(async () => {
  await freshConsole()
})

test('no table holds a token, a handle or a half of one, in any spelling', async () => {
  const handles = await useTheVault()
  const tables = await dumpStore()
  expect([...tables.keys()]).toEqual(
    expect.arrayContaining(['session', 'session_handle', 'command', 'command_event', 'preference', 'text_draft']),
  )
  const stolen = JSON.stringify([...tables])
  const bytes = handles.map((handle) => Buffer.from(handle, 'base64url'))
  const secrets = [
    ...[ACCESS_TOKEN, REFRESH_TOKEN, ...Object.values(RENEWED), ...handles].map((text) => Buffer.from(text)),
    ...bytes.flatMap((all) => [all, all.subarray(0, 32), all.subarray(32)]),
  ]
  for (const secret of secrets) {
    for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) {
      expect(stolen).not.toContain(secret.toString(encoding).replace(/=+$/, ''))
    }
  }
})

test('the database together with SESSION_KEY opens nothing; the handle is what it takes', async () => {
  const handles = await useTheVault()
  const tables = await dumpStore()
  const rows = [...tables.values()].flat()
  const values = [...new Set(rows.flatMap((row) => Object.values(row).filter((it) => typeof it === 'string')))]
  const candidates = [
    Buffer.alloc(0),
    Buffer.alloc(32),
    ...values.flatMap((value) => [Buffer.from(value), Buffer.from(value, 'base64url')]),
  ]
  const boxes = [
    ...tables.get('session')!.map((row) => ({ box: String(row.box), id: String(row.id) })),
    ...tables.get('session_handle')!.map((row) => ({ box: String(row.wrapped_key), id: String(row.session_id) })),
  ]
  expect(boxes).toHaveLength(5)
  const opensWith = (secrets: readonly Buffer[]) => {
    const tried = config()
      .sessionKeys.flatMap((key) => [
        key.key,
        ...secrets.flatMap((secret) => [secret.subarray(0, 32), wrappingKey(key, secret)]),
      ])
      .filter(({ length }) => length === 32)
    return boxes.filter(({ box, id }) => tried.some((key) => unseal(key, box, id) !== null))
  }
  expect(opensWith(candidates)).toEqual([])
  // The same attempts with what only the browsers hold: each handle opens its own wrapped key.
  expect(opensWith(handles.map((handle) => splitHandle(handle)!.secret))).toHaveLength(3)
})
