import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { insertDraft } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { tamper } from '#lib/testing/approval-world.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { cosignature, publicKeyOf } from '../../tools/witness.mjs'
import { logHead, sequenceAll } from './sequencer.ts'
import { receiveCosigned, witnessStatus } from './witness.ts'

const by = { name: 'witness', key: generateKeyPairSync('ed25519').privateKey }

beforeEach(async () => {
  await freshConsole({ WITNESS_TOKEN: 'x'.repeat(32), WITNESS_PUBLIC_KEY: publicKeyOf(by.name, by.key) })
})

/** Grows the log by one event; the checkpoint with the witness's cosignature. */
async function confirmed(): Promise<string> {
  const about = { kind: 'deposit.confirm', actor: 'sso:1', actorName: 'O', params: '{}', facts: '{}' }
  await insertDraft(await store(), { id: randomUUID(), target: 'DEP~1', ...about })
  await sequenceAll()
  const { checkpoint } = await logHead(await store())
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
  return checkpoint + cosignature({ origin: '', size: 0, root: Buffer.alloc(32), text }, by, 1_790_000_000)
}

const receive = async (note: string) => receiveCosigned(await store(), note)
const status = async () => witnessStatus(await store())

test.each([
  ['set back, with its hashes left', sql`UPDATE log_head SET size = 1`],
  ['without a hash', sql`DELETE FROM log_node`],
])('a log %s is in conflict', async (_how, statement) => {
  const note = await confirmed()
  await tamper(statement)
  expect(await receive(note)).toBe('conflict')
  expect((await status())?.conflict).toEqual({ size: 2 })
})

test('keeps the first conflict', async () => {
  const notes = [await confirmed(), await confirmed()]
  await tamper(sql`UPDATE log_head SET size = 1`)
  for (const note of notes) await receive(note)
  expect((await status())?.conflict).toEqual({ size: 2 })
})

test('keeps the later of two confirmations', async () => {
  const notes = [await confirmed(), await confirmed()]
  for (const note of notes.toReversed()) expect(await receive(note)).toBe('stored')
  expect((await status())?.confirmedSize).toBe(3)
})

test.each([-600, 600])('a clock that differs by %i seconds makes no silence', async (seconds) => {
  await receive(await confirmed())
  await tamper(sql`UPDATE log_head SET cosigned_received = cosigned_received - 100`)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(Math.trunc(((await status())?.lagSeconds ?? 0) / 100)).toBe(1)
})

test('a repeated confirmation hides no silent witness', async () => {
  const note = await confirmed()
  await receive(note)
  await tamper(sql`UPDATE log_head SET cosigned_received = cosigned_received - 600`)
  expect(await receive(note)).toBe('stored')
  expect((await status())?.lagSeconds).toBeGreaterThan(500)
})
