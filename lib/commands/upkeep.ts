import 'server-only'
import { bootId } from '#lib/config/boot.ts'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { moveCommand } from '#lib/store/commands.ts'
import { beat, chainEnd, findChallengedBefore, findOrphans } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'
import { DRAFT_LIFE_MS } from './draft-life.ts'
import { kindNamed } from './kinds.ts'
import { endUnsent } from './stopped.ts'

const EVERY_MS = 1_000
const PRINT_EVERY_MS = 3_600_000

const shared = globalThis as typeof globalThis & { consoleUpkeep?: NodeJS.Timeout }

/** Keeps the journal true while nobody is asking: once a second, for the life of the process. */
export function startUpkeep(): void {
  if (shared.consoleUpkeep !== undefined) return
  let busy = false
  let printedAt = 0
  shared.consoleUpkeep = setInterval(async () => {
    if (busy) return
    busy = true
    try {
      await keepUp()
      if (Date.now() > printedAt + PRINT_EVERY_MS) {
        await printChainEnd()
        printedAt = Date.now()
      }
    } catch {
      log().warn({ event: 'upkeep' }, 'the store cannot be reached; the next second tries again')
    } finally {
      busy = false
    }
  }, EVERY_MS)
  shared.consoleUpkeep.unref()
}

/** A sign of life; then what dead processes left under way, and what has waited for a code for too long. */
export async function keepUp(): Promise<void> {
  const db = await store()
  await beat(db, bootId())
  const alone = !config().databaseUrl.startsWith('postgres')
  for (const row of await findOrphans(db, bootId(), alone)) {
    const { checking, unknownAdvice: advice } = kindNamed(row.kind) ?? { checking: '', unknownAdvice: '' }
    await moveCommand(db, row.id, {
      from: ['sent'],
      to: 'unknown',
      outcome: JSON.stringify({ class: 'unknown', checking, advice, traceId: null }),
      note: { why: 'the process that sent it ended', recoveredBy: bootId() },
    })
  }
  for (const row of await findChallengedBefore(db, new Date(Date.now() - DRAFT_LIFE_MS).toISOString())) {
    await endUnsent(row, {
      class: 'refused',
      sent: false,
      title: 'No code was given for ten minutes',
      advice: 'Nothing was changed. Start it anew if it is still wanted.',
      problem: null,
    })
  }
}

/** To the log, so that a tail of the journal that is cut off later shows. */
export async function printChainEnd(): Promise<void> {
  const { sequence, mac } = await chainEnd(await store())
  log().info({ event: 'journal-end', sequence, mac })
}
