import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { newHolder } from '#sandbox/testing/new-holder.ts'
import { type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'

const BEN = userIdEndingIn('012')

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const history = (query = '', as = 'operator@example.com', account = BEN) =>
  box.call('GET', `/api/v1/Transaction/account/${account}${query}`, { as })

const listed = (body: Json): readonly Json[] => (body.data?.transactions ?? []) as unknown as readonly Json[]

/** A new holder who has announced so many deposits, and nothing else; answers how to read their history. */
async function holderWithDeposits(count: number) {
  const { id, email } = await newHolder(box)
  for (let n = 0; n < count; n += 1) {
    await box.call('POST', '/api/v1/Transaction/deposit', { as: email, body: { amount: n + 1 } })
  }
  return (query = '') => history(query, email, id)
}

describe('account history', () => {
  test('newest first, twenty a page, with the total of all pages', async () => {
    const own = await holderWithDeposits(25)
    const first = (await own()).body
    const second = (await own('?page=2')).body
    expect(listed(first)).toHaveLength(20)
    expect(first.data?.totalCount).toBe(25)
    expect(listed(second)).toHaveLength(5)
    const times = [...listed(first), ...listed(second)].map((row) => String(row.createdAt))
    expect(times).toEqual([...times].sort().reverse())
    expect(second.data?.totalCount).toBe(25)
  })

  test('one entry per transaction, in its current state', async () => {
    const [queued] = listed((await history()).body).filter((row) => String(row.state) === 'QUEUED')
    const referenceId = String(queued?.referenceId)
    const before = (await history()).body.data?.totalCount
    await box.call('POST', '/api/v1/Transaction/deposit/confirm', {
      as: 'operator@example.com',
      body: { referenceId, bankReference: 'B-1' },
    })
    const after = (await history()).body
    expect(after.data?.totalCount).toBe(before)
    const rows = listed(after).filter((row) => String(row.referenceId) === referenceId)
    expect(rows.map((row) => row.state)).toEqual(['PROCESSING'])
  })

  test('a page past the end is empty and keeps the total', async () => {
    const own = await holderWithDeposits(3)
    const { status, body } = await own('?page=1000000000&pageSize=100')
    expect(status).toBe(200)
    expect(listed(body)).toEqual([])
    expect(body.data?.totalCount).toBe(3)
  })

  test.each([
    ['?page=0', 'page'],
    ['?page=-1', 'page'],
    ['?page=x', 'page'],
    ['?pageSize=0', 'pageSize'],
    ['?pageSize=101', 'pageSize'],
    ['?pageSize=1.5', 'pageSize'],
  ])('400 for %s', async (query, field) => {
    const { status, body } = await history(query)
    expect(status).toBe(400)
    expect(Object.keys(body.errors ?? {})).toEqual([field])
  })

  test('400 for an id that is no UUID; 404 for an unknown account and for somebody else’s', async () => {
    expect((await history('', 'operator@example.com', 'not-a-uuid')).status).toBe(400)
    expect((await history('', 'operator@example.com', userIdEndingIn('999'))).status).toBe(404)
    expect((await history('', 'ana@example.com')).status).toBe(404)
    expect((await history('', 'ben@example.com')).status).toBe(200)
  })
})
