import type { CommandKindName, CommandReply, DraftReply } from '#lib/domain/command.ts'

/** The browser's end of the one door for changes. Null when the console itself did not answer. */
async function call<Reply>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Reply | null> {
  try {
    const response = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json', 'x-console': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      cache: 'no-store',
    })
    return (await response.json()) as Reply
  } catch {
    return null
  }
}

export const draft = (kind: CommandKindName, params: unknown): Promise<DraftReply | null> =>
  call('POST', '/api/commands', { kind, params })

export const execute = (id: string): Promise<CommandReply | null> => call('POST', `/api/commands/${id}`, {})

export const look = (id: string): Promise<CommandReply | null> => call('GET', `/api/commands/${id}`)

/** Takes a draft back; answers what became of the command. */
export const withdraw = (id: string): Promise<CommandReply | null> => call('DELETE', `/api/commands/${id}`)
