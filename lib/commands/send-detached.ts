import 'server-only'
import { log } from '#lib/config/log.ts'
import type { CommandReply, Once } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { outcomeOf, type Settled } from './outcome.ts'
import { whileSending } from './running-sends.ts'
import { wantedNow } from './step-up.ts'
import { tellMore } from './tell-more.ts'
import { kindOf, paramsOf, unknownOutcome, viewOf } from './view.ts'
import { watchCommand } from './watch.ts'
import { withoutGrant } from './without-grant.ts'
import { writeDown } from './write-down.ts'

/** Keeps a promise going after the browser's request is answered or gone. */
export type Detach = (running: Promise<unknown>) => void

interface Sending {
  /** The one repeat, after a step-up. */
  readonly again: boolean
  /** For the kinds whose request itself carries a code. */
  readonly code: string
}

interface Told {
  readonly settled: CommandRow
  readonly once: Once | null
}

/**
 * Sends a command whose state is `sent`, and waits for what came of it; goes on if the browser does not wait. While the
 * outcome cannot be written down the browser is told that it is not known yet, and the writing goes on.
 */
export async function sendDetached(
  session: Session,
  row: CommandRow,
  sending: Sending,
  detach: Detach,
): Promise<CommandReply> {
  const delayed = Promise.withResolvers<Told>()
  const notYet = { ...row, state: 'unknown', outcome: JSON.stringify(unknownOutcome(row)) }
  const running = whileSending(row.id, () =>
    // What only this one answer shows is shown, though its command is not settled yet.
    sendAndSettle(session, row, sending, (once) => delayed.resolve({ settled: notYet, once })),
  )
  detach(running)
  const { settled, once } = await Promise.race([running, delayed.promise])
  const wanted = settled.state === 'challenged' ? await wantedNow(session, settled.id) : undefined
  return { ok: true, command: viewOf(settled, wanted), once }
}

/** From here on the change may have happened, so whatever goes wrong is told as not known, never as failed. */
async function sendAndSettle(
  session: Session,
  row: CommandRow,
  sending: Sending,
  onDelay: (once: Once | null) => void,
): Promise<Told> {
  const { told, data, once } = await sendOnce(session, row, sending)
  const settled = await writeDown(row, told, data, () => onDelay(once))
  watchCommand(session, settled)
  return { settled: await tellMore(session, settled, data), once }
}

interface Came {
  readonly told: Settled
  /** Of a success, its body. */
  readonly data: unknown
  readonly once: Once | null
}

/** Never throws: what fails on the way, or cannot be told, may have happened. */
async function sendOnce(session: Session, row: CommandRow, { again, code }: Sending): Promise<Came> {
  const kind = kindOf(row)
  try {
    const sent = await kind.send(session, paramsOf(row), code)
    const told = await withoutGrant(session, row, sent, outcomeOf(kind, row, sent, again))
    const data = sent.kind === 'answer' ? sent.data : null
    const once = told.state === 'done' && data !== null ? (kind.once?.(data) ?? null) : null
    return { told, data, once }
  } catch (error) {
    const why = error instanceof Error ? error.name : 'error'
    log().error({ event: 'command', id: row.id, why }, 'sending failed, and it may have happened')
    return { told: outcomeOf(kind, row, { kind: 'lost', why }, again), data: null, once: null }
  }
}
