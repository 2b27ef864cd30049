import type { Page } from '@playwright/test'

interface Desk {
  readonly me: string
  readonly claim: { readonly holderName: string } | null
  readonly viewers: readonly { readonly actor: string; readonly name: string }[]
  readonly notes: readonly { readonly authorName: string; readonly text: string }[]
  readonly people: readonly { readonly actor: string; readonly name: string }[]
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Asks the console as its own pages do, with the session of the page. */
const ask = (page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([how, to, sent]) => {
      const response = await fetch(to, {
        method: how,
        headers: { 'content-type': 'application/json', 'x-console': '1' },
        ...(sent === null ? {} : { body: sent }),
        cache: 'no-store',
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  )

export const askDesk = (page: Page, caseId: string): Promise<Answer> => ask(page, 'GET', `/api/disputes/${caseId}/desk`)

export async function deskOf(page: Page, caseId: string): Promise<Desk> {
  const { status, body } = await askDesk(page, caseId)
  if (status !== 200) throw new Error(`the desk answered ${status}`)
  return body.desk as Desk
}

/** Makes a change that needs no confirmation; answers its outcome, or what was wrong with the draft. */
export async function change(page: Page, kind: string, params: object): Promise<unknown> {
  const { body } = await ask(page, 'POST', '/api/commands', { kind, params })
  if (body.ok !== true) return body
  const { id } = body.draft as { id: string }
  const executed = await ask(page, 'POST', `/api/commands/${id}`, {})
  return (executed.body.command as { outcome: unknown }).outcome
}
