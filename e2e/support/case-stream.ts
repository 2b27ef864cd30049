import type { Page } from '@playwright/test'

interface Collected {
  text: string
  ended: boolean
}

declare global {
  interface Window {
    caseStream?: Collected
  }
}

/** What a page has got from a case's stream so far. */
export interface CaseStream {
  events(): Promise<readonly StreamedEvent[]>
  /** The bodies of all messages that it was told of, in the order of telling. */
  bodies(): Promise<readonly string[]>
  state(): Promise<string | undefined>
  ended(): Promise<boolean>
}

interface StreamedEvent {
  readonly type: string
  readonly status?: { readonly state: string }
  readonly messages?: readonly { readonly body: string }[]
}

interface Streamed extends StreamedEvent {
  readonly result?: { readonly value?: StreamedEvent }
}

/** An event of the case; else of the stream itself. */
const eventIn = (event: Streamed): StreamedEvent => event.result?.value ?? event

/** Opens a case's stream in a page, as the page's own scripts do. */
export async function openCaseStream(page: Page, caseId: string): Promise<CaseStream> {
  await page.evaluate(async (id) => {
    const collected: Collected = { text: '', ended: false }
    window.caseStream = collected
    const response = await fetch('/api/stream', {
      method: 'POST',
      headers: { 'x-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ topics: [`thread ${id}`] }),
      cache: 'no-store',
    })
    const follow = async () => {
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const part = await reader?.read().catch(() => undefined)
        if (part?.value === undefined) break
        collected.text += part.value
      }
      collected.ended = true
    }
    void follow()
  }, caseId)
  const collected = () => page.evaluate(() => window.caseStream ?? { text: '', ended: false })
  const events = async (): Promise<readonly StreamedEvent[]> =>
    [...(await collected()).text.matchAll(/^data: (.+)$/gm)].map(([, data]) => eventIn(JSON.parse(data ?? '')))
  return {
    events,
    bodies: async () => (await events()).flatMap(({ messages = [] }) => messages.map(({ body }) => body)),
    state: async () => (await events()).findLast(({ type }) => type === 'status')?.status?.state,
    ended: async () => (await collected()).ended,
  }
}
