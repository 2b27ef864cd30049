import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { log } from '#lib/config/log.ts'
import { type CommandRow, type CommandState, findCommand, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { wasRefused } from '#lib/store/was-refused.ts'
import { keepRows } from './keep.ts'
import type { Settled } from './outcome.ts'
import { unknownOutcome } from './view.ts'

const FIRST_PAUSE_MS = 100
const PAUSE_MAX_MS = 2_000

/** Another process may have taken this one for dead: what is known here still holds. */
const FROM: readonly CommandState[] = ['sent', 'unknown']

/**
 * Writes down what came of a command, and what it leaves in the console's own tables; tries again for as long as the
 * process lives, since nobody else knows. `onDelay` is called when it has failed once.
 */
export async function writeDown(
  row: CommandRow,
  settled: Settled,
  data: unknown,
  onDelay: () => void,
): Promise<CommandRow> {
  let told = settled
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    try {
      return await writeOnce(row, told, data)
    } catch (error) {
      log().error({ event: 'command', id: row.id, state: told.state }, 'an outcome could not be written down')
      if (error instanceof NotKept) told = notKept(row, told)
    }
    onDelay()
    await wait(pause)
  }
}

/** The store answers, and will never take what the command leaves in its tables. */
class NotKept extends Error {}

async function writeOnce(row: CommandRow, { state, outcome, note }: Settled, data: unknown): Promise<CommandRow> {
  const db = await store()
  const move = { from: FROM, to: state, outcome: JSON.stringify(outcome), note }
  const moved = await moveCommand(db, row.id, move, async (trx) => {
    if (state !== 'done') return
    await keepRows(trx, row, data).catch((error: unknown) => {
      throw wasRefused(error) ? new NotKept() : error
    })
  })
  return moved ?? (await findCommand(db, row.id)) ?? row
}

/** A change that took effect without its trace here is not told as done: a person has to look. */
const notKept = (row: CommandRow, { note }: Settled): Settled => ({
  state: 'unknown',
  outcome: unknownOutcome(row),
  note: { ...note, why: 'it took effect, and the console could not keep what it left' },
})
