import type { Page } from '@playwright/test'

interface Workspace {
  readonly me: string
  readonly claim: { readonly holderName: string } | null
  readonly viewers: readonly { readonly name: string }[]
  readonly notes: readonly { readonly authorName: string; readonly text: string }[]
}

type Answer = Readonly<Record<string, unknown>>

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
      return (await response.json()) as Answer
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  )

/** The first event of the case's workspace topic. */
async function askWorkspace(page: Page, caseId: string): Promise<Answer> {
  const { events } = await ask(page, 'POST', '/api/stream/poll', { topics: [`workspace ${caseId}`] })
  const event = (events as readonly Answer[]).find(({ type }) => type === 'topic')
  return (event?.result ?? {}) as Answer
}

export async function workspaceOf(page: Page, caseId: string): Promise<Workspace> {
  const { value, problem } = await askWorkspace(page, caseId)
  if (value === undefined) throw new Error(`the workspace answered ${JSON.stringify(problem)}`)
  return value as Workspace
}

/** What somebody is told who may not see a case's workspace: the refusal's status, and everything as text. */
export async function refusedWorkspace(page: Page, caseId: string): Promise<{ status: number; all: string }> {
  const answer = await askWorkspace(page, caseId)
  return { status: (answer.problem as { status: number }).status, all: JSON.stringify(answer) }
}

/** Makes a change that needs no confirmation; answers its outcome, or what was wrong with the draft. */
export async function change(page: Page, kind: string, params: object): Promise<unknown> {
  const drafted = await ask(page, 'POST', '/api/commands', { kind, params })
  if (drafted.ok !== true) return drafted
  const { id } = drafted.draft as { id: string }
  const executed = await ask(page, 'POST', `/api/commands/${id}`, {})
  return (executed.command as { outcome: unknown }).outcome
}
