import 'server-only'
import { log } from '#lib/config/log.ts'
import type { CommandReply, Once, Outcome } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, type CommandState, moveCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { keepRows } from './keep.ts'
import { outcomeOf } from './outcome.ts'
import { wantedNow } from './step-up.ts'
import { tellMore } from './tell-more.ts'
import { kindOf, paramsOf, viewOf } from './view.ts'
import { watchCommand } from './watch.ts'
import { withoutGrant } from './without-grant.ts'

/** Keeps a promise going after the browser's request is answered or gone. */
export type Detach = (running: Promise<unknown>) => void

interface Sending {
  /** The one repeat, after a step-up. */
  readonly again: boolean
  /** For the kinds whose request itself carries a code. */
  readonly code: string
}

/** Sends a command whose state is `sent`, and waits for what came of it; goes on if the browser does not wait. */
export async function sendDetached(
  session: Session,
  row: CommandRow,
  sending: Sending,
  detach: Detach,
): Promise<CommandReply> {
  const running = sendAndSettle(session, row, sending)
  detach(running)
  const { settled, once } = await running
  const wanted = settled.state === 'challenged' ? await wantedNow(session, settled.id) : undefined
  return { ok: true, command: viewOf(settled, wanted), once }
}

/** From here on the change may have happened, so whatever goes wrong is told as not known, never as failed. */
async function sendAndSettle(
  session: Session,
  row: CommandRow,
  { again, code }: Sending,
): Promise<{ settled: CommandRow; once: Once | null }> {
  const kind = kindOf(row)
  const sent = await kind.send(session, paramsOf(row), code)
  const told = await withoutGrant(session, row, sent, outcomeOf(kind, row, sent, again))
  const data = sent.kind === 'answer' ? sent.data : null
  const once = told.state === 'done' && data !== null ? (kind.once?.(data) ?? null) : null
  const settled = await writeDown(row, told, async (trx) => {
    if (told.state === 'done') await keepRows(trx, row, data)
  })
  watchCommand(session, settled)
  return { settled: await tellMore(session, settled, data), once }
}

async function writeDown(
  row: CommandRow,
  { state, outcome, note }: ReturnType<typeof outcomeOf>,
  also: Parameters<typeof moveCommand>[3],
): Promise<CommandRow> {
  try {
    // Another process may have taken this one for dead: what is known here still holds.
    const from: readonly CommandState[] = ['sent', 'unknown']
    const settled = await moveCommand(
      await store(),
      row.id,
      { from, to: state, outcome: JSON.stringify(outcome), note },
      also,
    )
    if (settled !== null) return settled
  } catch {
    log().error({ event: 'command', id: row.id, state }, 'an outcome could not be written down')
  }
  const { checking, unknownAdvice: advice } = kindOf(row)
  return { ...row, outcome: JSON.stringify({ class: 'unknown', checking, advice, traceId: null } satisfies Outcome) }
}
