import { setTimeout as wait } from 'node:timers/promises'
import { verifyChain } from '#lib/commands/journal/verify.ts'
import { atOnce } from './at-once.ts'
import type { LoadFaults } from './load-faults.ts'
import type { LoadOperator } from './load-operator.ts'
import type { LoadWorld } from './load-world.ts'

const SETTLED_WITHIN_MS = 150_000
const AT_ONCE = 6
const OPEN = ['sent', 'unknown', 'accepted']

/** What must never be, counted once nothing fails any more; every figure has to be 0. */
export async function countWrongs(
  world: LoadWorld,
  faults: LoadFaults,
  operators: readonly LoadOperator[],
): Promise<Readonly<Record<string, number>>> {
  const more = (sent: ReadonlyMap<string, number>) => [...sent.values()].filter((times) => times > 1).length
  await faults.look()
  await untilSettled(world)
  const { faults: chain } = await verifyChain(world.store, world.auditKey)
  const pages = await atOnce(AT_ONCE, operators, (operator) => operator.page('/'))
  return {
    'changes sent more than once': more(world.line.sent) + more(faults.blocks),
    'changes neither ended nor on Home': await countHidden(world, operators),
    'deposits that are not as the journal says': await countUntrue(world),
    'faults of the journal’s chain': chain.length,
    'sessions lost': pages.filter(({ end }) => end === 'signed-out').length,
  }
}

/** How many changes have no known end. */
export const countOpen = async ({ store }: LoadWorld): Promise<number> =>
  (await store.selectFrom('command').select('id').where('state', 'in', OPEN).execute()).length

/** Nobody but its holder can read whether a card is blocked: such a change stays open until somebody settles it. */
async function untilSettled({ store }: LoadWorld): Promise<void> {
  const until = Date.now() + SETTLED_WITHIN_MS
  while (Date.now() < until) {
    const left = await store
      .selectFrom('command')
      .select('id')
      .where('state', 'in', OPEN)
      .where((is) => is.or([is('state', '=', 'sent'), is('kind', '!=', 'card.block')]))
      .execute()
    if (left.length === 0) return
    await wait(1_000)
  }
}

async function countHidden({ store }: LoadWorld, operators: readonly LoadOperator[]): Promise<number> {
  const open = await store.selectFrom('command').select(['id', 'actor']).where('state', 'in', OPEN).execute()
  const told = await atOnce(AT_ONCE, open, async ({ id, actor }) => {
    const author = operators.find((operator) => operator.actor === actor)
    return author !== undefined && (await author.tellsOnHome(id))
  })
  return told.filter((tells) => !tells).length
}

/** A deposit that is confirmed by the journal is confirmed at the service, and one that is not is not. */
async function countUntrue({ store, sandboxStore }: LoadWorld): Promise<number> {
  const changes = await store
    .selectFrom('command')
    .select(['target', 'state'])
    .where('kind', '=', 'deposit.confirm')
    .where('state', 'not in', [...OPEN, 'draft'])
    .execute()
  const confirmed = await sandboxStore
    .selectFrom('ledger_row')
    .select('reference_id')
    .where('version', '=', 2)
    .execute()
  const references = new Set(confirmed.map((row) => row.reference_id))
  return changes.filter(({ target, state }) => ['done', 'applied'].includes(state) !== references.has(target)).length
}
