import { issueGrant } from '#sandbox/security/grants.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import type { Answered, TestRequest, TestSandbox } from '#sandbox/testing/test-sandbox.ts'

export const ANA = userIdEndingIn('011')
export const BEN = userIdEndingIn('012')
export const OPERATOR = 'operator@example.com'

export interface IssuedCard {
  readonly id: string
  readonly number: string
}

/** The calls of the cards resource, and cards to make them on, as tests need them. Holders are Ana unless told. */
export function cardCalls(box: TestSandbox) {
  const holder = (request: TestRequest): TestRequest => ({ as: 'ana@example.com', ...request })
  const verb =
    (name: string) =>
    (id: string, request: TestRequest = {}): Promise<Answered> =>
      box.call('POST', `/api/v1/cards/${id}/${name}`, holder(request))

  const issue = (fields: object = {}, as = OPERATOR): Promise<Answered> =>
    box.call('POST', '/api/v1/cards', {
      as,
      body: { userId: ANA, cardType: 1, printedName: 'Ana Alvarez', ...fields },
    })
  const activate = (id: string, cardNumber: unknown, request: TestRequest = {}): Promise<Answered> =>
    verb('activate')(id, { body: { cardNumber }, ...request })
  const block = (id: string, as = OPERATOR): Promise<Answered> => verb('block')(id, { as })

  async function unissued(userId = ANA): Promise<IssuedCard> {
    const { data } = (await issue({ userId })).body
    return { id: String(data?.id), number: String(data?.cardNumber) }
  }
  async function active(as = 'ana@example.com', userId = ANA): Promise<IssuedCard> {
    const card = await unissued(userId)
    await activate(card.id, card.number, { as })
    return card
  }

  return {
    issue,
    activate,
    block,
    unissued,
    active,
    freeze: verb('freeze'),
    unfreeze: verb('unfreeze'),
    list: (as = 'ana@example.com') => box.call('GET', '/api/v1/cards', { as }),
    read: (id: string, as = 'ana@example.com') => box.call('GET', `/api/v1/cards/${id}`, { as }),
    /** `text` is the body's JSON, so that amounts go out as they are written. */
    limits: (id: string, text: string, request: TestRequest = {}) =>
      box.call('PUT', `/api/v1/cards/${id}/limits`, holder({ text, ...request })),
  }
}

/** Takes a user through two-factor enrolment, and answers how to attach a grant to a request. */
export async function enrolled(
  box: TestSandbox,
  userId: string,
): Promise<{ readonly headers: Record<string, string> }> {
  const { world } = box.sandbox
  const enrolment = { secret: 'JBSWY3DPEHPK3PXP', pending_secret: null, enrolled_at: world.clock.now() }
  await world.db
    .insertInto('totp')
    .values({ user_id: userId, ...enrolment, used_step: 0, wrong_codes: 0, locked_until_ms: null })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(enrolment))
    .execute()
  return { headers: { 'x-step-up': (await issueGrant(world, userId)).token } }
}

/** Their two-factor security is off. */
export async function notEnrolled(box: TestSandbox, userIds: readonly string[]): Promise<void> {
  await box.sandbox.world.db.deleteFrom('totp').where('user_id', 'in', userIds).execute()
}

export const codeOf = ({ body }: Answered): string => String(body.type).replace('urn:ocs:error:', '')
