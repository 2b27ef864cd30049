import 'server-only'
import { permits } from '#lib/authorization/judge.ts'
import { searchFault, searchOf } from '#lib/cards/card-search.ts'
import { readRegister } from '#lib/cards/register-access.ts'
import { canView, kindsSeenOfOthers } from '#lib/commands/access.ts'
import { findNaming } from '#lib/commands/command-naming.ts'
import { type CommandRow, findCommand } from '#lib/commands/command-table.ts'
import { viewFor } from '#lib/commands/person-view.ts'
import { bankLock } from '#lib/deposits/deposit.ts'
import type { Result } from '#lib/service/answer.ts'
import type { Session } from '#lib/session/session.ts'
import { type FoundLine, findLines } from '#lib/statements/line-search.ts'
import { PART_MIN_CHARS } from '#lib/store/part-of-text.ts'
import { store } from '#lib/store/store.ts'
import { isUuid } from '#lib/values/ids.ts'
import type { Found } from './found.ts'
import type { Source } from './look-up.ts'
import { placeOfThing } from './thing.ts'

const FOUND_MAX = 5

const read = (value: readonly Found[]): Result<readonly Found[]> => ({ ok: true, value, serviceTime: null })

export async function consoleSources(session: Session, text: string): Promise<readonly Source[]> {
  const [seesRegister, seesLines] = await Promise.all([
    permits(session, 'register.read'),
    permits(session, 'statements.read'),
  ])
  const long = [...text].length >= PART_MIN_CHARS
  const changes: Source = { name: 'changes', look: async () => read(await foundChanges(session, text)) }
  const register: Source = { name: 'register', look: async () => read(await foundCards(session, text)) }
  const lines: Source = {
    name: 'lines',
    look: async () => read((await findLines(await store(), text, FOUND_MAX)).map(foundLine)),
  }
  return [
    ...(long && seesRegister && searchFault(text) === null ? [register] : []),
    ...(long && seesLines ? [lines] : []),
    ...(long ? [changes] : []),
  ]
}

async function foundCards(session: Session, text: string): Promise<readonly Found[]> {
  const register = await readRegister(session, searchOf(text), { page: 1, size: FOUND_MAX })
  if ('scopes' in register) return []
  return register.cards.map(({ id, last4, printed_name, blocked_at }) => ({
    kind: 'card',
    href: placeOfThing({ kind: 'card', id }),
    words: `Card ending ${last4}`,
    id,
    detail: printed_name,
    amount: null,
    // The register records no other state.
    state: blocked_at === null ? null : 'BLOCKED',
    outcome: null,
  }))
}

/** The default page size; a person with another size may land on the wrong page. */
const LINES_A_PAGE = 20

const foundLine = ({ statement_id: id, number, file_name, amount, currency, where }: FoundLine): Found => ({
  kind: 'line',
  href: `${placeOfThing({ kind: 'statement', id })}?${new URLSearchParams({ page: String(Math.ceil(number / LINES_A_PAGE)) })}`,
  words: `Line ${number.toLocaleString('en-US')} of ${file_name}`,
  id: null,
  detail: `${amount} ${currency === '' ? 'BZD' : currency}, found in its ${where}`,
  amount: null,
  state: null,
  outcome: null,
})

async function foundChanges(session: Session, text: string): Promise<readonly Found[]> {
  const db = await store()
  const [named, naming] = await Promise.all([
    isUuid(text) ? changeOf(session, text) : [],
    kindsSeenOfOthers(session).then((kinds) =>
      findNaming(db, { part: text, lock: bankLock(text), actor: session.actor, kinds }, FOUND_MAX),
    ),
  ])
  return [...named, ...naming].map((row) => {
    const { id, title, actorName, outcome } = viewFor(session, row)
    return {
      kind: 'change',
      href: `/activity/${encodeURIComponent(id)}`,
      words: title,
      id: null,
      detail: `by ${actorName}`,
      amount: null,
      state: null,
      outcome: outcome.class,
    }
  })
}

async function changeOf(session: Session, id: string): Promise<readonly CommandRow[]> {
  const row = await findCommand(await store(), id)
  return row !== undefined && row.sent_at !== null && (await canView(session, row)) ? [row] : []
}
