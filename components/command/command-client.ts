import { asJson, askConsole } from '#components/service/ask-console.ts'
import type { CommandReply, DraftReply } from '#lib/commands/command.ts'
import type { CommandKindName } from '#lib/kind-names.ts'

/** Returns null when the console cannot be reached. */
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
  /** Made in the browser, so that a retry after a lost answer does not send the change twice. */
  readonly id: string
  /** The operator of this page. If another operator has signed in, the server sends nothing in their name. */
  readonly owner: string
  readonly kind: CommandKindName
  readonly params: unknown
}

/** Drafts and sends in one request, for kinds without a confirmation. */
export const sendAtOnce = ({
  id,
  ...asked
}: SentAtOnce): Promise<CommandReply | Extract<DraftReply, { ok: false }> | null> =>
  call('PUT', `/api/commands/${id}`, asked)

/** Sent with a confirmation and never stored. */
export interface Given {
  readonly code?: string
  readonly proof?: string
  readonly passkey?: unknown
}

export const execute = (id: string, given: Given): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}`, given)

export const look = (id: string, now = false): Promise<CommandReply | null> =>
  call('GET', `/api/commands/${id}${now ? '?look=now' : ''}`)

/** Cancels a draft and returns what became of the command. */
export const cancel = (id: string): Promise<CommandReply | null> => call('DELETE', `/api/commands/${id}`)

/** Like {@link cancel}, but automatic: the operator's confirmation got no answer. */
export const withdrawUnanswered = (id: string): Promise<CommandReply | null> =>
  call('DELETE', `/api/commands/${id}?why=unanswered`)

export interface Asking {
  readonly reason: string
  /** The text that the operator typed to prove that it is the right object. */
  readonly proof: string
}

export const askApproval = (id: string, asking: Asking): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/approval`, asking)

/** Approves or declines another operator's change. `effect`: the digest of the effect that was shown. */
export const decide = (
  id: string,
  decision: {
    readonly approves: boolean
    readonly effect: string
    readonly reason: string
    readonly passkey?: unknown
  },
): Promise<CommandReply | null> => call('POST', `/api/commands/${id}/decision`, decision)

/** Records the outcome of a command that the console cannot read at the service. */
export const settle = (id: string, happened: boolean, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/settle`, { happened, why })

export type UnseenAct = 'free-lock' | 'dismiss'

export const handleUnseen = (id: string, act: UnseenAct, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/${act}`, { why })
