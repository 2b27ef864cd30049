import { asJson, askConsole } from '#components/service/ask-console.ts'
import type { CommandReply, DraftReply } from '#lib/commands/command.ts'
import type { CommandKindName } from '#lib/kind-names.ts'

/** Null when the console is unreachable. */
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

/** Drafts a request of this person that ended unsent once more. */
export const draftAgain = (id: string): Promise<DraftReply | null> => call('POST', '/api/commands', { again: id })

interface SentAtOnce {
  /** Made here, so that a retry after a lost answer sends nothing twice. */
  readonly id: string
  /** The server refuses if another operator has signed in since. */
  readonly owner: string
  readonly kind: CommandKindName
  readonly params: unknown
}

export const sendAtOnce = ({
  id,
  ...body
}: SentAtOnce): Promise<CommandReply | Extract<DraftReply, { ok: false }> | null> =>
  call('PUT', `/api/commands/${id}`, body)

/** Sent with a confirmation and never stored. */
export interface Confirmation {
  readonly code?: string
  readonly proof?: string
  readonly passkey?: unknown
  /** The mark of the changed facts that the author has read. */
  readonly acknowledged?: string
}

export const execute = (id: string, confirmation: Confirmation): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}`, confirmation)

export const readCommand = (id: string, now = false): Promise<CommandReply | null> =>
  call('GET', `/api/commands/${id}${now ? '?look=now' : ''}`)

export const cancel = (id: string): Promise<CommandReply | null> => call('DELETE', `/api/commands/${id}`)

/** {@link cancel} without the operator, after a lost answer to their confirmation. */
export const withdrawUnanswered = (id: string): Promise<CommandReply | null> =>
  call('DELETE', `/api/commands/${id}?why=unanswered`)

export interface ApprovalRequest {
  readonly reason: string
  /** Typed to prove that it is the right object. */
  readonly proof: string
}

export const askApproval = (id: string, asking: ApprovalRequest): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/approval`, asking)

/** Decides on another operator's change. `effect`: digest of the effect that was shown. */
export const decide = (
  id: string,
  decision: {
    readonly approves: boolean
    readonly effect: string
    readonly factsMark?: string
    readonly reason: string
    readonly passkey?: unknown
  },
): Promise<CommandReply | null> => call('POST', `/api/commands/${id}/decision`, decision)

/** For a command that cannot be read at the service. */
export const settle = (id: string, happened: boolean, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/settle`, { happened, why })

export type UnseenAct = 'free-lock' | 'dismiss'

export const handleUnseen = (id: string, act: UnseenAct, why: string): Promise<CommandReply | null> =>
  call('POST', `/api/commands/${id}/${act}`, { why })

export const NOT_LOADED =
  'This part of the page could not be loaded. Check the connection, then try again. If it fails again, reload the page.'
