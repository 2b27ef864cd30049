import 'server-only'
import { log } from '#lib/config/log.ts'
import type { CommandReply, Outcome } from '#lib/domain/command.ts'
import { problemWords } from '#lib/domain/problem-words.ts'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, findCommand, moveCommand, startCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { closeDraft } from './close-draft.ts'
import type { FieldFaults } from './command-kind.ts'
import { DRAFT_LIFE_MS } from './draft-life.ts'
import { heldFault } from './held.ts'
import { outcomeOf } from './outcome.ts'
import { factsOf, kindOf, paramsOf, viewOf } from './view.ts'

/** Keeps a promise going after the browser's request is answered or gone. */
export type Detach = (running: Promise<unknown>) => void

const notFound = {
  ok: false,
  problem: {
    kind: 'service',
    status: 404,
    code: null,
    title: 'No such command of yours',
    traceId: null,
    retryAfterSeconds: null,
    scope: null,
  },
} as const satisfies CommandReply

/**
 * The second half of the door: sends a stored draft, once. Whoever comes second, by a double click, a resubmit or
 * another tab, gets the stored outcome and sends nothing.
 */
export async function executeCommand(session: Session, id: string, detach: Detach): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  if (row === undefined || row.actor !== session.actor) return notFound
  if (row.state !== 'draft') return { ok: true, command: viewOf(row) }
  const stopped = await stoppedBeforeSending(session, row)
  if (stopped !== null) return { ok: true, command: stopped }
  return await sendDraft(session, row, detach)
}

/** Looks at the facts once more. Null when they are as the person saw them. */
async function stoppedBeforeSending(session: Session, row: CommandRow) {
  if (Date.now() > Date.parse(row.created_at) + DRAFT_LIFE_MS) {
    return await closeDraft(row, {
      class: 'refused',
      sent: false,
      title: 'This was prepared more than ten minutes ago',
      advice: 'Nothing was sent. Check it again and confirm it anew.',
      problem: null,
    })
  }
  const kind = kindOf(row)
  const facts = await kind.readFacts(session, paramsOf(row))
  if (!facts.ok) {
    // Nothing is known to have moved, so the draft stays: the same confirmation may be given again.
    const words = problemWords(facts.problem)
    return viewOf(row, {
      class: 'refused',
      sent: false,
      title: words.title,
      advice: `Nothing was sent. ${words.advice}`,
      problem: facts.problem,
    })
  }
  if (JSON.stringify(facts.value) === row.facts) return null
  return await closeDraft(row, {
    class: 'changed',
    before: kind.factLines(factsOf(row)),
    now: kind.factLines(facts.value),
  })
}

async function sendDraft(session: Session, row: CommandRow, detach: Detach): Promise<CommandReply> {
  const kind = kindOf(row)
  const params = paramsOf(row)
  const started = await startCommand(await store(), row.id, kind.locks(params))
  if (!started.ok) {
    if (started.heldBy !== null)
      return { ok: true, command: await closeHeld(row, heldFault(kind, params, started.heldBy)) }
    const now = await findCommand(await store(), row.id)
    return now === undefined ? notFound : { ok: true, command: viewOf(now) }
  }
  const running = sendAndSettle(session, started.command)
  detach(running)
  return { ok: true, command: viewOf(await running) }
}

/** From here on the change may have happened, so whatever goes wrong is told as not known, never as failed. */
async function sendAndSettle(session: Session, row: CommandRow): Promise<CommandRow> {
  const kind = kindOf(row)
  const sent = await kind.send(session, paramsOf(row))
  const { state, outcome, note } = outcomeOf(kind, factsOf(row), sent)
  try {
    const settled = await moveCommand(await store(), row.id, {
      from: ['sent'],
      to: state,
      outcome: JSON.stringify(outcome),
      note,
    })
    if (settled !== null) return settled
  } catch {
    log().error({ event: 'command', id: row.id, state }, 'an outcome could not be written down')
  }
  return {
    ...row,
    outcome: JSON.stringify({ class: 'unknown', checking: kind.checking, traceId: null } satisfies Outcome),
  }
}

function closeHeld(row: CommandRow, faults: FieldFaults) {
  return closeDraft(row, {
    class: 'refused',
    sent: false,
    title: Object.values(faults).join(' '),
    advice: 'Nothing was sent. Look at what came of the other one first.',
    problem: null,
  })
}
