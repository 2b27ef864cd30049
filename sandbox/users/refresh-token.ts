import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'

export async function refreshToken(tokens: Tokens, value: string): Promise<Answer> {
  const pair = await tokens.refresh(value)
  if (pair === null) {
    throw new Refusal(401, 'core::authentication::refresh', 'The refresh token is not valid. Sign in again.')
  }
  return ok(pair)
}
