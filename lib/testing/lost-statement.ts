import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { maintain } from '#lib/commands/maintenance.ts'
import { draftCommand } from '#lib/commands/prepare.ts'
import { findOpen } from '#lib/commands/queries.ts'
import { wroteNothing } from '#lib/commands/record.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import { fillPath } from '#lib/contract/endpoint.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { store } from '#lib/store/store.ts'
import { kindOrFail, makeRoomForChanges } from './command-run.ts'
import type { FailingStore, Failure } from './failing-store.ts'
import type { Change, World } from './kinds-of-change.ts'

/** So long after the store is back nothing is under way any more that nobody knows of. */
const SETTLED_WITHIN_MS = 10_000
/** Parameters that stand in the path are texts. */
type Given = Readonly<Record<string, string>>

const ENDED = ['done', 'applied']
const UNSENT = ['draft', 'awaiting_approval', 'closed']
const WITHOUT_EFFECT = [...UNSENT, 'refused', 'not_applied']

/**
 * Lives a command's life with one statement that fails. Answers its row as it is once the store is back; undefined when
 * there is none, and null when its life has fewer statements.
 */
async function liveWithout(
  failing: FailingStore,
  name: CommandKindName,
  { session, params, proof = '', code, sign }: Change,
  statement: number,
  failure: Failure,
): Promise<CommandRow | undefined | null> {
  const kind = kindOrFail(name)
  const before = await commandsOf(session.actor, name)
  const running: Promise<unknown>[] = []
  let denied = false
  const failed = await failing.live(statement, failure, async () => {
    const drafted = await draftCommand(session, kind, params)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    const given = { code: code ?? null, proof, passkey: (await sign?.(drafted.draft.id)) ?? null }
    const executing = executeCommand(session, drafted.draft.id, given, (sending) => void running.push(sending))
    await executing.catch((error: unknown) => {
      denied = wroteNothing(error)
      throw error
    })
  })
  if (!failed) return null
  await expect.poll(async () => await nothingIsLeftSent(), { timeout: SETTLED_WITHIN_MS, interval: 50 }).toBe(true)
  await Promise.all(running)
  const row = (await commandsOf(session.actor, name)).find(({ id }) => !before.some((one) => one.id === id))
  // An error says that nothing was changed.
  if (denied && row !== undefined) expect(WITHOUT_EFFECT).toContain(row.state)
  return row
}

/** Of one kind: what goes along with a change, as taking its case does, is a change of its own. */
async function commandsOf(actor: string, kind: CommandKindName): Promise<CommandRow[]> {
  return await (await store())
    .selectFrom('command')
    .selectAll()
    .where('actor', '=', actor)
    .where('kind', '=', kind)
    .execute()
}

async function nothingIsLeftSent(): Promise<boolean> {
  await maintain()
  const sent = await (await store()).selectFrom('command').select('id').where('state', '=', 'sent').execute()
  if (sent.length > 0) await wait(50)
  return sent.length === 0
}

/** It has ended, or it is unknown and stands under open changes; and it holds what it must hold, and nothing else. */
async function expectAnEnd(name: CommandKindName, { session, params }: Change, row: CommandRow): Promise<void> {
  const db = await store()
  const kind = kindOrFail(name)
  const held = await db.selectFrom('command_lock').selectAll().where('command_id', '=', row.id).execute()
  const wanted = kind.locks(kind.params.parse(params), session)
  const open = row.state === 'unknown' || row.state === 'accepted'
  expect([...WITHOUT_EFFECT, ...ENDED, 'unknown', 'accepted']).toContain(row.state)
  expect((await findOpen(db)).some(({ id }) => id === row.id)).toBe(open)
  const keys = WITHOUT_EFFECT.includes(row.state) ? [] : wanted.filter(({ permanent }) => open || permanent)
  expect(held.map(({ key }) => key).sort()).toEqual(keys.map(({ key }) => key).sort())
}

/** Lets one statement after the other fail, until a life has none left to fail; answers how many there were. */
export async function failOneByOne(
  failing: FailingStore,
  { service, kinds }: World,
  name: CommandKindName,
  failures: (statement: number) => readonly Failure[],
): Promise<number> {
  const kind = kinds[name]
  if (kind === undefined) throw new Error(`there is no ${name} to make`)
  for (let [statement, before] = [1, 0]; ; statement += 1) {
    for (const failure of failures(statement)) {
      await makeRoomForChanges()
      const change = await kind.make()
      const arrivedAfter = async (after: number) =>
        kind.sends === null
          ? { count: 0, latest: 0 }
          : await service.arrivedAfter(after, kind.sends.method, fillPath(kind.sends.path, change.params as Given))
      before = (await arrivedAfter(before)).latest
      const row = await liveWithout(failing, name, change, statement, failure)
      const sent = (await arrivedAfter(before)).count
      if (row === null) {
        // Nothing failed: so it is known that effects are counted where they arrive.
        expect(sent).toBe(kind.sends === null ? 0 : 1)
        expect(await kind.took?.(change)).not.toBe(false)
        expect((await verifyJournal(await store(), config())).faults).toEqual([])
        return statement - 1
      }
      const unsent = row === undefined || UNSENT.includes(row.state)
      expect(sent).toBeLessThanOrEqual(unsent ? 0 : 1)
      if (kind.took !== undefined) expect(await kind.took(change)).toBe(!unsent && ENDED.includes(row.state))
      if (row !== undefined) await expectAnEnd(name, change, row)
    }
  }
}
