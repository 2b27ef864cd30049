import type { ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { TestService } from './test-service.ts'

const ANA = '00000000-0000-4000-8000-000000000011'
const BEN = '00000000-0000-4000-8000-000000000012'

export type Party = 'ana' | 'ben'

export const inDays = (days: number, fromMs = Date.now()): string => new Date(fromMs + days * 86_400_000).toISOString()

/** A dispute case at the service, and what its people do there. */
export interface TestCase {
  readonly id: string
  /** The disputed transaction, from Ana to Ben. */
  readonly referenceId: string
  post(body: string, as?: Party): Promise<void>
  /** By an arbitrator who is not enrolled in two-factor security, and passes without a code. */
  resolve(resolutionReason: string, releaseToRecipient?: boolean): Promise<void>
  /** The bodies of the whole thread as REST gives it, in order. */
  thread(): Promise<readonly string[]>
}

/** Ana disputes what she paid: less of it where many cases are raised, since her money comes to an end. */
export async function raiseCase(service: TestService, amount = 20, recipientId = BEN): Promise<TestCase> {
  const tokens = {
    ana: (await service.login('ana@example.com')).accessToken,
    ben: (await service.login('ben@example.com')).accessToken,
  }
  const transfer = { recipientId, amount, useEscrow: true }
  const { data } = await service.call('POST', '/api/v1/Transaction/p2p', { token: tokens.ana, body: transfer })
  const raised = { referenceId: data?.referenceId, raisedByUserId: ANA, reason: 'The goods never came.' }
  const id = String((await service.call('POST', '/sandbox/disputes', { body: raised })).id)
  const path = `/api/v1/Dispute/${id}`

  return {
    id,
    referenceId: String(raised.referenceId),
    async post(body, as = 'ana') {
      await service.call('POST', `${path}/messages`, { token: tokens[as], body: { body } })
    },
    async resolve(resolutionReason, releaseToRecipient = true) {
      const { accessToken } = await service.login('newcomer@example.com')
      const body = { releaseToRecipient, resolutionReason }
      await service.call('POST', `${path}/resolve`, { token: accessToken, body })
    },
    async thread() {
      const found: ThreadMessage[] = []
      for (let page = 1; ; page += 1) {
        const query = `?page=${page}&pageSize=100`
        const answer = await service.call('GET', `${path}/messages${query}`, { token: tokens.ana })
        const rows = answer.data?.messages as unknown as readonly ThreadMessage[]
        if (rows.length === 0) break
        found.push(...rows)
      }
      return found
        .toSorted((one, other) => (one.createdAt + one.id < other.createdAt + other.id ? -1 : 1))
        .map(({ body }) => body)
    },
  }
}
