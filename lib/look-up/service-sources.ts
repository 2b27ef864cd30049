import 'server-only'
import { readCard } from '#lib/cards/card-service.ts'
import type { Scope } from '#lib/contract/scopes.ts'
import { findCases } from '#lib/disputes/find-cases.ts'
import type { Result } from '#lib/service/answer.ts'
import { type Access, may } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { merchantIdFault, nameOf } from '#lib/terminals/terminal.ts'
import { listTerminals, readTerminal } from '#lib/terminals/terminal-service.ts'
import { referenceFault } from '#lib/transactions/reference.ts'
import { readAccountHistory, readTransaction } from '#lib/transactions/transaction-service.ts'
import { isUuid } from '#lib/values/ids.ts'
import type { Found } from './found.ts'
import type { Source } from './look-up.ts'
import { placeOfThing, type Thing, wordOf } from './thing.ts'

const NOTHING: Result<readonly Found[]> = { ok: true, value: [], serviceTime: null }

const foundThing = (thing: Thing, more: Partial<Found> = {}): Found => ({
  kind: thing.kind,
  href: placeOfThing(thing),
  words: wordOf(thing),
  id: thing.id,
  detail: '',
  amount: null,
  state: null,
  outcome: null,
  ...more,
})

async function looked<Value>(
  reading: Promise<Result<Value>>,
  found: (value: Value) => readonly Found[],
): Promise<Result<readonly Found[]>> {
  const result = await reading
  if (result.ok) return { ...result, value: found(result.value) }
  const { kind, status } = result.problem
  // The service answers 400 to a text that is not an id of the kind.
  return kind === 'service' && (status === 404 || status === 400) ? NOTHING : result
}

const REASON_CHARS = 60

const cut = (text: string): string => {
  const characters = [...text]
  return characters.length > REASON_CHARS ? `${characters.slice(0, REASON_CHARS).join('')}…` : text
}

const counted = (count: number, word: string): string =>
  count === 0 ? `no ${word}s` : `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`

/** With the person's own token, where their scopes allow it. */
export function serviceSources(session: Session, access: Access, text: string): readonly Source[] {
  const asks = (scope: Scope, fits: boolean): boolean => fits && may(access, scope)
  const id = isUuid(text)
  const all: readonly (readonly [asked: boolean, source: Source])[] = [
    [
      asks('core:transactions:read', referenceFault(text) === null),
      {
        name: 'transactions',
        look: () =>
          looked(readTransaction(session, text), ({ referenceId, debit, state }) => [
            foundThing({ kind: 'transaction', id: referenceId }, { amount: debit, state }),
          ]),
      },
    ],
    [
      asks('core:disputes:read', referenceFault(text) === null),
      {
        name: 'cases',
        look: () =>
          looked(findCases(session, text), (cases) =>
            cases.map((found) =>
              foundThing({ kind: 'case', id: found.id }, { detail: cut(found.reason), state: found.status }),
            ),
          ),
      },
    ],
    [
      asks('core:cards:read', id),
      {
        name: 'cards',
        look: () =>
          looked(readCard(session, text), (card) => [
            foundThing({ kind: 'card', id: card.id }, { detail: `ending ${card.last4}`, state: card.status }),
          ]),
      },
    ],
    [
      asks('core:merchant_terminals:read', id),
      {
        name: 'terminals',
        look: () =>
          looked(readTerminal(session, text), (terminal) => [
            foundThing({ kind: 'terminal', id: terminal.id }, { detail: nameOf(terminal), state: terminal.status }),
          ]),
      },
    ],
    [
      asks('core:merchant_terminals:read', merchantIdFault(text) === null),
      {
        name: 'merchants',
        look: () =>
          looked(listTerminals(session, text), (rows) =>
            rows.length === 0
              ? []
              : [foundThing({ kind: 'merchant', id: text }, { detail: counted(rows.length, 'terminal') })],
          ),
      },
    ],
    [
      asks('core:transactions:read', id),
      {
        name: 'users',
        look: () =>
          looked(readAccountHistory(session, text, { page: 1, pageSize: 1 }), ({ total }) => [
            foundThing({ kind: 'user', id: text }, { detail: counted(total, 'transaction') }),
          ]),
      },
    ],
  ]
  return all.flatMap(([asked, source]) => (asked ? [source] : []))
}
