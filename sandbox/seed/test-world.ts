import type { z } from 'zod'
import type { transaction } from '#lib/contract/transactions.ts'
import type { Json, TestSandbox } from '#sandbox/testing/test-sandbox.ts'
import { userIdEndingIn } from './people.ts'

/** The seeded wallet holders: the last digits of their user ids, and their e-mail addresses. */
export const HOLDERS = [
  ['011', 'ana@example.com'],
  ['012', 'ben@example.com'],
  ['013', 'cleo@example.com'],
  ['014', 'dario@example.com'],
] as const

/** A transaction as it arrives: every amount and time is text. */
export type ReadTransaction = z.input<typeof transaction> & { readonly state: string; readonly transactionType: string }

const PAGE_SIZE = 100

/** All pages of a list over HTTP, whose length must be what it says it is. */
export async function readAll(box: TestSandbox, path: string, name: string, as: string): Promise<readonly Json[]> {
  const rows: Json[] = []
  for (let page = 1; ; page += 1) {
    const joint = path.includes('?') ? '&' : '?'
    const { body } = await box.call('GET', `${path}${joint}page=${page}&pageSize=${PAGE_SIZE}`, { as })
    const total = Number(body.data?.totalCount)
    rows.push(...((body.data?.[name] ?? []) as unknown as readonly Json[]))
    if (page * PAGE_SIZE >= total) {
      if (rows.length !== total) throw new Error(`${path} has ${rows.length} rows and says ${total}`)
      return rows
    }
  }
}

/** Everything that a holder was a party of, newest first. */
export async function historyOf(box: TestSandbox, ending: string): Promise<readonly ReadTransaction[]> {
  const path = `/api/v1/Transaction/account/${userIdEndingIn(ending)}`
  return (await readAll(box, path, 'transactions', 'operator@example.com')) as unknown as readonly ReadTransaction[]
}
