import 'server-only'
import { permits, refusalProblem, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import { searchFault, searchOf } from '#lib/cards/card-search.ts'
import { readCard } from '#lib/cards/card-service.ts'
import { printedNameOf, readRegister } from '#lib/cards/issued-cards.ts'
import { canView, kindsSeenOfOthers } from '#lib/commands/access.ts'
import { readApproval } from '#lib/commands/policy/approval-view.ts'
import { type CommandRow, factsOf, paramsOf } from '#lib/commands/row.ts'
import { findAuthorsNamed, findNaming, findNamingTerminal } from '#lib/commands/search.ts'
import { consoleProblem } from '#lib/commands/send.ts'
import { findCommand } from '#lib/commands/store.ts'
import { viewFor } from '#lib/commands/view.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { bankLock } from '#lib/deposits/deposit.ts'
import { findCases } from '#lib/disputes/queue/find-cases.ts'
import type { Result } from '#lib/service/client.ts'
import { type Access, may, readAccess } from '#lib/service/scopes.ts'
import { idleMs } from '#lib/session/limits.ts'
import type { Session } from '#lib/session/session.ts'
import { listAllSessions, sessionsOfPerson } from '#lib/session/session-lists.ts'
import { browserWords } from '#lib/session/user-agent.ts'
import { type FoundLine, findLines, findStatements } from '#lib/statements/statement-list.ts'
import { PART_MIN_CHARS, store } from '#lib/store/store.ts'
import { merchantIdFault, nameOf } from '#lib/terminals/terminal.ts'
import { listTerminals, readTerminal } from '#lib/terminals/terminal-service.ts'
import { isUnknownReference, referenceFault } from '#lib/transactions/transaction.ts'
import { readAccountHistory, readTransaction } from '#lib/transactions/transaction-service.ts'
import { isUuid } from '#lib/values/ids.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { type Found, type LookUpFrame, placeOfThing, type SourceName, type Thing, wordOf } from './thing.ts'

export interface Source {
  readonly name: SourceName
  readonly look: () => Promise<Result<readonly Found[]>>
}

/** Asks every source that the person may read, in parallel. Requires a text without a `lookUpFault`. */
export async function* lookUp(session: Session, text: string): AsyncGenerator<LookUpFrame, void, undefined> {
  const access = await readAccess(session)
  const sources = [...serviceSources(session, access, text), ...(await consoleSources(session, access, text))]
  yield { kind: 'searched', sources: sources.map(({ name }) => name) }
  const looking = new Map(sources.map((source) => [source.name, looked(source)]))
  while (looking.size > 0) {
    const answered = await Promise.race(looking.values())
    looking.delete(answered.source)
    yield answered
  }
  yield { kind: 'end' }
}

async function looked({ name: source, look }: Source): Promise<Extract<LookUpFrame, { source: SourceName }>> {
  try {
    const result = await look()
    return result.ok
      ? { kind: 'found', source, found: result.value }
      : { kind: 'failed', source, problem: result.problem }
  } catch (error) {
    return { kind: 'failed', source, problem: consoleProblem(error) }
  }
}

const NOTHING: Result<readonly Found[]> = { ok: true, value: [], serviceTime: null }

const BLANK = { id: null, detail: '', amount: null, state: null, outcome: null } as const

const foundThing = (thing: Thing, more: Partial<Found> = {}): Found => ({
  ...BLANK,
  kind: thing.kind,
  href: placeOfThing(thing),
  words: wordOf(thing),
  id: thing.id,
  ...more,
})

/** The service answers 400 to a text that is not an id of the kind. */
const isUnknownId = ({ kind, status }: Problem): boolean => kind === 'service' && (status === 404 || status === 400)

async function foundIn<Value>(
  reading: Promise<Result<Value>>,
  found: (value: Value) => readonly Found[],
  isUnknown = isUnknownId,
): Promise<Result<readonly Found[]>> {
  const result = await reading
  if (result.ok) return { ...result, value: found(result.value) }
  return isUnknown(result.problem) ? NOTHING : result
}

const REASON_CHARS = 60

const shortened = (text: string): string => {
  const characters = [...text]
  return characters.length > REASON_CHARS ? `${characters.slice(0, REASON_CHARS).join('')}…` : text
}

function serviceSources(session: Session, access: Access, text: string): readonly Source[] {
  const id = isUuid(text)
  const isReference = referenceFault(text) === null
  const all: readonly (Source & { readonly scope: Scope; readonly fits: boolean })[] = [
    {
      name: 'transactions',
      scope: 'core:transactions:read',
      fits: isReference,
      look: () =>
        foundIn(
          readTransaction(session, text),
          ({ referenceId, debit, state }) => [
            foundThing({ kind: 'transaction', id: referenceId }, { amount: debit, state }),
          ],
          isUnknownReference,
        ),
    },
    {
      name: 'cases',
      scope: 'core:disputes:read',
      fits: isReference,
      look: () =>
        foundIn(findCases(session, text), (cases) =>
          cases.map((found) =>
            foundThing({ kind: 'case', id: found.id }, { detail: shortened(found.reason), state: found.status }),
          ),
        ),
    },
    {
      name: 'cards',
      scope: 'core:cards:read',
      fits: id,
      look: () =>
        foundIn(readCard(session, text), (card) => [
          foundThing({ kind: 'card', id: card.id }, { detail: `ending ${card.last4}`, state: card.status }),
        ]),
    },
    {
      name: 'terminals',
      scope: 'core:merchant_terminals:read',
      fits: id,
      look: () =>
        foundIn(readTerminal(session, text), (terminal) => [
          foundThing({ kind: 'terminal', id: terminal.id }, { detail: nameOf(terminal), state: terminal.status }),
        ]),
    },
    {
      name: 'merchants',
      scope: 'core:merchant_terminals:read',
      fits: merchantIdFault(text) === null,
      look: () =>
        foundIn(listTerminals(session, text), (rows) =>
          rows.length === 0
            ? []
            : [foundThing({ kind: 'merchant', id: text }, { detail: counted(rows.length, 'terminal') })],
        ),
    },
    {
      name: 'users',
      scope: 'core:transactions:read',
      fits: id,
      look: () =>
        foundIn(readAccountHistory(session, text, { page: 1, pageSize: 1 }), ({ total }) => [
          foundThing(
            { kind: 'user', id: text },
            // The interface promises no 404 here.
            { detail: total === 0 ? 'no transactions, may not be a user' : counted(total, 'transaction') },
          ),
        ]),
    },
  ]
  return all.filter(({ scope, fits }) => fits && may(access, scope))
}

const FOUND_MAX = 5

/** While scopes are unread, each of them fails: what others did would be missing. */
async function consoleSources(session: Session, access: Access, text: string): Promise<readonly Source[]> {
  const isUnread = access.scopes === null
  const [seesRegister, seesStatements, seesSessions] = await Promise.all([
    permits(session, 'register.read'),
    permits(session, 'statements.read'),
    permits(session, 'othersSessions.read'),
  ])
  const all: readonly { name: SourceName; fits?: boolean; find: () => Promise<readonly Found[]> }[] = [
    {
      name: 'register',
      fits: (seesRegister || isUnread) && searchFault(text) === null,
      find: () => foundCards(session, text),
    },
    { name: 'statements', fits: seesStatements || isUnread, find: () => foundStatements(text) },
    {
      name: 'lines',
      fits: seesStatements || isUnread,
      find: async () => (await findLines(await store(), text, FOUND_MAX)).map(foundLine),
    },
    {
      name: 'changed-terminals',
      fits: may(access, 'core:merchant_terminals:read'),
      find: () => foundTerminals(session, text),
    },
    { name: 'changes', find: () => foundChanges(session, text) },
    { name: 'approvals', fits: isUuid(text), find: () => foundApproval(session, text) },
    { name: 'people', find: () => foundPeople(session, text) },
    { name: 'sessions', find: () => (seesSessions ? foundSessions(text) : foundOwnSessions(session, text)) },
  ]
  return all
    .filter(({ fits = true }) => fits && [...text].length >= PART_MIN_CHARS)
    .map(({ name, find }) => ({ name, look: () => findWithScopes(session, find) }))
}

async function findWithScopes(
  session: Session,
  find: () => Promise<readonly Found[]>,
): Promise<Result<readonly Found[]>> {
  const value = await find()
  const unread = await refusedWithoutScopes(session)
  return unread === null ? { ok: true, value, serviceTime: null } : { ok: false, problem: refusalProblem(unread) }
}

async function foundCards(session: Session, text: string): Promise<readonly Found[]> {
  const register = await readRegister(session, searchOf(text), { page: 1, size: FOUND_MAX })
  if ('scopes' in register) return []
  return register.cards.map((card) =>
    foundThing(
      { kind: 'card', id: card.id },
      {
        words: `Card ending ${card.last4}`,
        detail: printedNameOf(card),
        // The register records no other state.
        state: card.blocked_at === null ? null : 'BLOCKED',
      },
    ),
  )
}

const foundStatements = async (text: string): Promise<readonly Found[]> =>
  (await findStatements(await store(), text, FOUND_MAX)).map(({ id, fileName, account }) =>
    foundThing({ kind: 'statement', id }, { id: null, detail: account === '' ? fileName : `${fileName}, ${account}` }),
  )

/** The default page size; a person with another size may land on the wrong page. */
const LINES_A_PAGE = 20

const foundLine = ({ statement_id: id, number, file_name, amount, currency, where }: FoundLine): Found => ({
  ...BLANK,
  kind: 'line',
  href: `${placeOfThing({ kind: 'statement', id })}?${new URLSearchParams({ page: String(Math.ceil(number / LINES_A_PAGE)) })}`,
  words: `Line ${formatCount(number)} of ${file_name}`,
  detail: `${amount} ${currency === '' ? 'BZD' : currency}, found in its ${where}`,
})

type NamedTerminal = Readonly<Record<'terminalId' | 'terminalUid' | 'label' | 'merchantId', string>>

/** A registration records no terminal id, so it leads to the merchant, whose list has the terminal. */
async function foundTerminals(session: Session, text: string): Promise<readonly Found[]> {
  const [{ actor, userId }, kinds] = [session, await kindsSeenOfOthers(session)]
  const all = (await findNamingTerminal(await store(), { part: text, actor, userId, kinds }, FOUND_MAX)).map((row) => {
    const named = { ...(paramsOf(row) as object), ...factsOf(row) } as NamedTerminal
    const { terminalId, terminalUid: id, label, merchantId } = named
    const place: Thing = terminalId === '' ? { kind: 'merchant', id: merchantId } : { kind: 'terminal', id: terminalId }
    const detail = `${label === '' ? '' : `${label}, `}at ${merchantId}`
    return foundThing(place, { kind: 'terminal', words: wordOf({ kind: 'terminal' }), id, detail })
  })
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at)
}

async function foundChanges(session: Session, text: string): Promise<readonly Found[]> {
  const [db, { actor, userId }] = [await store(), session]
  const [named, naming] = await Promise.all([
    isUuid(text) ? changeOf(session, text) : [],
    kindsSeenOfOthers(session).then((kinds) =>
      findNaming(db, { part: text, lock: bankLock(text), actor, userId, kinds }, FOUND_MAX),
    ),
  ])
  return [...named, ...naming].map((row) => {
    const { id, title, actorName, outcome } = viewFor(session, row)
    return {
      ...BLANK,
      kind: 'change',
      href: `/activity/${encodeURIComponent(id)}`,
      words: title,
      detail: `by ${actorName}`,
      outcome: outcome.class,
    }
  })
}

async function changeOf(session: Session, id: string): Promise<readonly CommandRow[]> {
  const row = await findCommand(await store(), id)
  return row !== undefined && row.sent_at !== null && (await canView(session, row)) ? [row] : []
}

async function foundApproval(session: Session, id: string): Promise<readonly Found[]> {
  const approval = await readApproval(session, id)
  if (approval === null || approval === 'not-asked') return []
  const { title, actorName, outcome } = approval.command
  const href = `/approvals/${encodeURIComponent(id)}`
  return [
    { ...BLANK, kind: 'approval', href, words: title, detail: `requested by ${actorName}`, outcome: outcome.class },
  ]
}

async function foundPeople(session: Session, text: string): Promise<readonly Found[]> {
  const [{ actor, userId }, kinds] = [session, await kindsSeenOfOthers(session)]
  return (await findAuthorsNamed(await store(), { part: text, actor, userId, kinds }, FOUND_MAX)).map((person) => ({
    ...BLANK,
    kind: 'person',
    href: `/activity?${new URLSearchParams({ person })}`,
    words: `Activity of ${person}`,
  }))
}

const foundSession = (href: string, person: string, userAgent: string, address: string | null): Found => ({
  ...BLANK,
  kind: 'session',
  href,
  words: `Session of ${person}`,
  detail: `${browserWords(userAgent)}${address === null ? '' : `, from ${address}`}`,
})

async function foundSessions(text: string): Promise<readonly Found[]> {
  const now = Date.now()
  const { sessions } = await listAllSessions(await store(), {
    ...{ part: text, order: 'active', descending: true, page: 1, size: FOUND_MAX },
    ...{ now: new Date(now).toISOString(), idleSince: new Date(now - idleMs()).toISOString() },
  })
  return sessions.map(({ display_name, user_id: find, user_agent, address }) =>
    foundSession(`/security/sessions?${new URLSearchParams({ find })}`, display_name, user_agent, address),
  )
}

const foundOwnSessions = async (session: Session, text: string): Promise<readonly Found[]> =>
  (await sessionsOfPerson(session))
    .filter(({ id, address }) => id === text || address?.includes(text))
    .map(({ userAgent, address }) => foundSession('/security', session.displayName, userAgent, address))
