import type { CommandReply, DraftReply, OpenChanges } from '#lib/commands/command.ts'
import type { CommandKindName } from '#lib/kind-names.ts'

/** The client of the one endpoint for changes. Null when the console itself did not answer. */
async function call<Reply>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Reply | null> {
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

/**
 * Both halves in one, for kinds that take no confirmation. `id` is made here: asking again with it, because no answer came,
 * sends nothing a second time.
 */
export const sendAtOnce = (
  id: string,
  kind: CommandKindName,
  params: unknown,
): Promise<CommandReply | Extract<DraftReply, { ok: false }> | null> =>
  call('PUT', `/api/commands/${id}`, { kind, params })

/** What travels with a confirmation, and is kept nowhere. */
export interface Given {
  readonly code?: string
  readonly proof?: string
}

export const execute = (id: string, given: Given): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}`, given)

export const look = (id: string, now = false): Promise<CommandReply | null> =>
  call('GET', `/api/commands/${id}${now ? '?look=now' : ''}`)

/** Everybody's changes whose end is not known, as far as the person may see them. Null when nothing tells. */
export async function readOpen(): Promise<OpenChanges | null> {
  const answer = await call<Partial<OpenChanges>>('GET', '/api/commands')
  const { late, seen, unseen, more } = answer ?? {}
  const whole = late !== undefined && seen !== undefined && unseen !== undefined && more !== undefined
  return whole ? { late, seen, unseen, more } : null
}

/** Takes a draft back; answers what became of the command. */
export const withdraw = (id: string): Promise<CommandReply | null> => call('DELETE', `/api/commands/${id}`)

/** Says what came of a command that nobody can read. */
export const settle = (id: string, happened: boolean, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/settle`, { happened, why })

/** Frees the lock of a change although no effect of it shows. */
export const freeLock = (id: string, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/free-lock`, { why })
