import { asJson, askConsole } from '#components/service/ask-console.ts'
import type { CommandReply, DraftReply } from '#lib/commands/command.ts'
import type { CommandKindName } from '#lib/kind-names.ts'

/** The client of the one endpoint for changes. Null when the console cannot be reached. */
async function call<Reply>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Reply | null> {
  const answer = await askConsole(path, { method, ...asJson(body) })
  return answer === null ? null : (answer.body as Reply)
}

export const draft = (kind: CommandKindName, params: unknown): Promise<DraftReply | null> =>
  call('POST', '/api/commands', { kind, params })

interface SentAtOnce {
  /** Made here: asking again with it, because no answer came, sends nothing a second time. */
  readonly id: string
  /** Whose page it is: asked again when somebody else has signed in, nothing is sent in their name. */
  readonly owner: string
  readonly kind: CommandKindName
  readonly params: unknown
}

/** Both halves in one, for kinds that take no confirmation. */
export const sendAtOnce = ({
  id,
  ...asked
}: SentAtOnce): Promise<CommandReply | Extract<DraftReply, { ok: false }> | null> =>
  call('PUT', `/api/commands/${id}`, asked)

/** What travels with a confirmation, and is kept nowhere. */
export interface Given {
  readonly code?: string
  readonly proof?: string
  /** What a passkey signed. */
  readonly passkey?: unknown
}

export const execute = (id: string, given: Given): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}`, given)

export const look = (id: string, now = false): Promise<CommandReply | null> =>
  call('GET', `/api/commands/${id}${now ? '?look=now' : ''}`)

/** Takes a draft back; answers what became of the command. */
export const cancel = (id: string): Promise<CommandReply | null> => call('DELETE', `/api/commands/${id}`)

/** The same without the person, whose confirmation got no answer. */
export const withdrawUnanswered = (id: string): Promise<CommandReply | null> =>
  call('DELETE', `/api/commands/${id}?why=unanswered`)

export interface Asking {
  readonly reason: string
  /** What was typed to prove that it is the right object. */
  readonly proof: string
}

/** Asks others to approve a draft. */
export const askApproval = (id: string, asking: Asking): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/approval`, asking)

/** Approves somebody else's change, or declines it. `effect`: the digest of what was shown. */
export const decide = (
  id: string,
  decision: {
    readonly approves: boolean
    readonly effect: string
    readonly reason: string
    readonly passkey?: unknown
  },
): Promise<CommandReply | null> => call('POST', `/api/commands/${id}/decision`, decision)

/** Says what came of a command that nobody can read. */
export const settle = (id: string, happened: boolean, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/settle`, { happened, why })

/** About a change without a visible effect. */
export type UnseenAct = 'free-lock' | 'dismiss'

export const handleUnseen = (id: string, act: UnseenAct, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/${act}`, { why })
