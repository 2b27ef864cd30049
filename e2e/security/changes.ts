import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { Answer, SignedIn } from './http.ts'

interface Reply {
  readonly draft?: { readonly id: string }
  readonly command?: { readonly id: string; readonly outcome: { readonly class: string } }
}

const replyOf = (answer: Answer): Reply => JSON.parse(answer.text) as Reply

/** Makes a change as its page does: drafted, then confirmed. */
export async function change(
  person: SignedIn,
  kind: string,
  params: unknown,
  given: object = {},
): Promise<{ readonly id: string; readonly answer: Answer; readonly outcome: string }> {
  const drafted = await person.send('POST', '/api/commands', { kind, params })
  const { draft } = replyOf(drafted)
  expect(draft?.id, `${kind}: ${drafted.text}`).toBeDefined()
  const id = draft?.id ?? ''
  const answer = await person.send('POST', `/api/commands/${id}`, given)
  return { id, answer, outcome: replyOf(answer).command?.outcome.class ?? '' }
}

/** Makes one that takes no confirmation. */
export async function changeAtOnce(person: SignedIn, kind: string, params: unknown): Promise<Answer> {
  const answer = await person.send('PUT', `/api/commands/${randomUUID()}`, { kind, params })
  expect(replyOf(answer).command?.outcome.class, `${kind}: ${answer.text}`).toBe('done')
  return answer
}
