import 'server-only'
import type { CommandView, StepUpOutcome } from '#lib/commands/command.ts'
import { type CommandRow, noteOn } from '#lib/commands/command-table.ts'
import { inJournal } from '#lib/commands/journal.ts'
import { passkeyNeedOf } from '#lib/commands/policy/policy-gate.ts'
import { viewOf } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Assertion } from './assertion.ts'
import { insertAssertion, isAsserted } from './kept-assertion.ts'
import { findPasskeys } from './passkey-table.ts'
import { takeAssertion } from './take-assertion.ts'

const asked = {
  class: 'step-up',
  rejected: false,
  triesLeft: 0,
  lockedSeconds: null,
  digits: null,
  problem: null,
} as const

const WANTED: StepUpOutcome = {
  ...asked,
  need: 'passkey',
  title: 'Your passkey is needed',
  advice: 'Nothing has changed yet. It confirms that you are here for exactly this change.',
}

const NONE: StepUpOutcome = {
  ...asked,
  need: 'passkey-enrolment',
  title: 'This needs a passkey',
  advice: 'Nothing has changed. Add a passkey under Security, then come back to this.',
}

/** Null if nothing is missing. Sending checks the journal again. */
export async function missingPasskey(
  session: Session,
  row: CommandRow,
  given: Assertion | null,
): Promise<CommandView | null> {
  const db = await store()
  const need = await passkeyNeedOf(db, row)
  if (need === null || (given === null && (await isAsserted(db, row, need)))) return null
  if (given === null) {
    const usable = (await findPasskeys(db, session.actor)).some(({ id }) => id !== need.except)
    return viewOf(row, usable ? WANTED : NONE)
  }
  const taken = await takeAssertion(session, row, need, given)
  if (!taken.ok) return viewOf(row, { ...WANTED, rejected: true, title: taken.title, advice: TRY_AGAIN })
  await inJournal(db, async (trx) => {
    noteOn(trx, row.id, await insertAssertion(trx, row, taken.assertion))
  })
  return null
}

const TRY_AGAIN = 'Nothing has changed. Try again with a passkey of yours.'
