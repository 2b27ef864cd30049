import { issueGrant } from '#sandbox/security/grants.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import type { Answered, Json, TestRequest, TestSandbox } from '#sandbox/testing/test-sandbox.ts'

export const ANA = userIdEndingIn('011')
export const BEN = userIdEndingIn('012')
export const CLEO = userIdEndingIn('013')
export const DARIO = userIdEndingIn('014')
export const ARBITRATOR = userIdEndingIn('002')
export const ADMIN = userIdEndingIn('003')
export const NEWCOMER = userIdEndingIn('005')

const PATH = '/api/v1/Dispute'

export const REASON = 'The goods never came.'

/** The calls of the disputes resource, and cases to make them on, as tests need them. Ana disputes what she paid Ben. */
export function disputeCalls(box: TestSandbox) {
  /** A protected transfer of 20; its reference. */
  async function protect(as = 'ana@example.com', recipientId = BEN): Promise<string> {
    const body = { recipientId, amount: 20, useEscrow: true }
    return String((await box.call('POST', '/api/v1/Transaction/p2p', { as, body })).body.data?.referenceId)
  }
  /** A protected purchase of 20 at the shop that Cleo owns; its reference. */
  async function buy(as = 'ana@example.com'): Promise<string> {
    const body = { merchantId: 'merchant-001', amount: 20, useEscrow: true }
    return String((await box.call('POST', '/api/v1/Transaction/purchase', { as, body })).body.data?.referenceId)
  }
  const raise = (referenceId: string, raisedByUserId = ANA, reason = REASON): Promise<Answered> =>
    box.call('POST', '/sandbox/disputes', { body: { referenceId, raisedByUserId, reason } })
  async function opened(): Promise<{ readonly id: string; readonly referenceId: string }> {
    const referenceId = await protect()
    return { id: String((await raise(referenceId)).body.id), referenceId }
  }

  return {
    protect,
    buy,
    raise,
    opened,
    list: (query: string, as: string) => box.call('GET', `${PATH}${query}`, { as }),
    read: (id: string, as = 'ana@example.com') => box.call('GET', `${PATH}/${id}`, { as }),
    messages: (id: string, query = '', as = 'ana@example.com') =>
      box.call('GET', `${PATH}/${id}/messages${query}`, { as }),
    post: (id: string, body: unknown, as = 'ana@example.com') =>
      box.call('POST', `${PATH}/${id}/messages`, { as, body: { body } }),
    /** Newcomers arbitrate too and are not enrolled in two-factor security, so they need no grant. */
    resolve: (id: string, body: object = {}, request: TestRequest = {}) =>
      box.call('POST', `${PATH}/${id}/resolve`, {
        as: 'newcomer@example.com',
        body: { releaseToRecipient: true, resolutionReason: REASON, ...body },
        ...request,
      }),
    resolveByTransaction: (referenceId: unknown, body: object = {}, request: TestRequest = {}) =>
      box.call('POST', '/api/v1/Transaction/dispute/resolve', {
        as: 'newcomer@example.com',
        body: { referenceId, releaseToRecipient: true, resolutionReason: REASON, ...body },
        ...request,
      }),
    /** How to attach a step-up grant of a user to a request. */
    async granted(userId: string): Promise<{ readonly headers: Record<string, string> }> {
      return { headers: { 'x-step-up': (await issueGrant(box.sandbox.world, userId)).token } }
    },
    async transaction(referenceId: string): Promise<Json | undefined> {
      const { body } = await box.call('GET', `/api/v1/Transaction/${referenceId}`, { as: 'operator@example.com' })
      return body.data
    },
    /** A wallet's two balances, as decimal text. */
    async balances(userId: string): Promise<readonly [total: string, available: string]> {
      const { body } = await box.call('GET', `/sandbox/balances/${userId}`)
      return [String(body.totalBalance), String(body.availableBalance)]
    },
  }
}

/** Rows of a list that a test looks into. */
export const listed = ({ body }: Answered, name: 'cases' | 'messages'): readonly Json[] =>
  (body.data?.[name] ?? []) as unknown as readonly Json[]

export const total = ({ body }: Answered): number => Number(body.data?.totalCount)

/** Status and code of a refusal. */
export const refusal = ({ status, body }: Answered): readonly [number, string] => [
  status,
  String(body.type).replace('urn:ocs:error:', ''),
]
