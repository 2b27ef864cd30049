import { findCardOfCommand, type IssuedCardRow } from '#lib/cards/issued-cards.ts'
import type { CommandReply } from '#lib/commands/command.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from './command-run.ts'
import { serviceTest } from './test-worlds.ts'

/** Endpoints as the interface writes them, for faults. */
export const ISSUE = '/api/v1/cards'
export const BLOCK = '/api/v1/cards/{cardId}/block'

export const ANA = '00000000-0000-4000-8000-000000000011'
export const BEN = '00000000-0000-4000-8000-000000000012'
export const OPERATOR = '00000000-0000-4000-8000-000000000001'

export const NEW_CARD = { userId: ANA, cardType: '1', printedName: 'Ana Alvarez' }

interface CardAtService {
  readonly id: string
  readonly last4: string
  readonly status: string
}

type Issued = Extract<CommandReply, { ok: true }> & { readonly card: IssuedCardRow | undefined }

/** `issueCard` answers what came of it, and what the register has of it; `issuedCard` fails where the register has nothing. */
export const cardTest = serviceTest
  .extend('issueCard', ({ operator }) => async (params: object = NEW_CARD, session = operator): Promise<Issued> => {
    const reply = await runCommand(session, 'card.issue', params)
    return { ...reply, card: await findCardOfCommand(await store(), reply.command.id) }
  })
  .extend('issuedCard', ({ issueCard }) => async (): Promise<IssuedCardRow> => {
    const { card, command } = await issueCard()
    if (card === undefined) throw new Error(JSON.stringify(command))
    return card
  })
  .extend('cardsOfAna', ({ service }) => async (): Promise<readonly CardAtService[]> => {
    const { accessToken } = await service.login('ana@example.com')
    const { data } = await service.call('GET', '/api/v1/cards', { token: accessToken })
    return data?.cards as unknown as readonly CardAtService[]
  })
