import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { asJson, askConsole, problemIn } from '#components/service/ask-console.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { NOT_LOADED } from './command-client.ts'

/** `words`: why there is no result. */
export type PasskeyResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly words: string }

/** The signature covers this command only. */
export async function signWithPasskey(commandId: string) {
  const answer = await askConsole(`/api/commands/${commandId}/passkey`, { method: 'POST', ...asJson({}) })
  if (answer?.status !== 200) return { ok: false, words: refusedWords(answer) } as const
  const optionsJSON = (answer.body as { options: PublicKeyCredentialRequestOptionsJSON }).options
  return await fromPasskey(({ startAuthentication }) => startAuthentication({ optionsJSON }))
}

export const makePasskey = (options: unknown) =>
  fromPasskey(({ startRegistration }) =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  )

type Library = typeof import('@simplewebauthn/browser')

async function fromPasskey<Value>(ask: (library: Library) => Promise<Value>): Promise<PasskeyResult<Value>> {
  const library = await import('@simplewebauthn/browser').catch(() => null)
  if (library === null) return { ok: false, words: NOT_LOADED }
  try {
    return { ok: true, value: await ask(library) }
  } catch (error) {
    return { ok: false, words: failureWords(error instanceof Error ? error.name : '') }
  }
}

function failureWords(name: string): string {
  switch (name) {
    case 'InvalidStateError':
      return 'This device already has a passkey of yours. Use another device or passkey manager.'
    case 'NotSupportedError':
      return 'This browser does not support passkeys.'
    case 'SecurityError':
      return 'Passkeys do not work at this address of the console.'
    default:
      return 'The passkey was not used: the prompt was closed or timed out. Try again.'
  }
}

/** A 409 title already says what to do. */
export function refusedWords(answer: Parameters<typeof problemIn>[0]): string {
  const problem = problemIn(answer)
  const { title, advice } = problemWords(problem)
  return problem.status === 409 ? title : `${title.replace(/\.$/, '')}. ${advice}`
}
