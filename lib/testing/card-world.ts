import { findCardOfCommand, type IssuedCardRow } from '#lib/cards/issued-cards.ts'
import type { CommandReply } from '#lib/commands/command.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from './command-run.ts'
import { freshWorld, type TestService } from './test-service.ts'
import { signedIn } from './test-session.ts'
import { serviceTest } from './test-worlds.ts'

/** Endpoints as the interface writes them, for faults. */
export const ISSUE = '/api/v1/cards'
export const BLOCK = '/api/v1/cards/{cardId}/block'

export const ANA = '00000000-0000-4000-8000-000000000011'
export const BEN = '00000000-0000-4000-8000-000000000012'
export const OPERATOR = '00000000-0000-4000-8000-000000000001'
const VIEWER = '00000000-0000-4000-8000-000000000004'
const ADMIN = '00000000-0000-4000-8000-000000000003'

export const NEW_CARD = { userId: ANA, cardType: '1', printedName: 'Ana Alvarez' }

interface CardAtService {
  readonly id: string
  readonly last4: string
  readonly status: string
}

type Issued = Extract<CommandReply, { ok: true }> & { readonly card: IssuedCardRow | undefined }

/** A console and a service, fresh, and who works with cards there. */
export interface CardWorld {
  readonly service: TestService
  readonly operator: Session
  readonly admin: Session
  readonly viewer: Session
  /** What the service itself says of ana's cards. */
  cardsOfAna(): Promise<readonly CardAtService[]>
  /** Issues a card; answers what came of it, and what the register has of it. */
  issue(params?: object, session?: Session): Promise<Issued>
  /** Issues a card, and fails where the register does not have it. */
  issued(): Promise<IssuedCardRow>
}

export async function cardWorld(): Promise<CardWorld> {
  const service = await freshWorld()
  const [operator, admin, viewer] = await Promise.all([
    signedIn(service, 'operator@example.com', OPERATOR),
    signedIn(service, 'admin@example.com', ADMIN),
    signedIn(service, 'viewer@example.com', VIEWER),
  ])
  const issue = async (params: object = NEW_CARD, session = operator) => {
    const reply = await runCommand(session, 'card.issue', params)
    return { ...reply, card: await findCardOfCommand(await store(), reply.command.id) }
  }
  return {
    service,
    operator,
    admin,
    viewer,
    issue,
    async cardsOfAna() {
      const { accessToken } = await service.login('ana@example.com')
      const { data } = await service.call('GET', '/api/v1/cards', { token: accessToken })
      return data?.cards as unknown as readonly CardAtService[]
    },
    async issued() {
      const { card, command } = await issue()
      if (card === undefined) throw new Error(JSON.stringify(command))
      return card
    },
  }
}

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
