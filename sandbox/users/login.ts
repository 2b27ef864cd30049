import type { z } from 'zod'
import type { credentials } from '#lib/contract/users.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { checkPassword } from '#sandbox/identity/sign-in.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import type { World } from '#sandbox/world/world.ts'

const refusals = {
  wrong: () => new Refusal(401, 'core::authentication::credentials', 'Wrong e-mail address or password.'),
  forbidden: () => new Refusal(403, 'core::authentication::forbidden', 'This account is not permitted to sign in.'),
  locked: () => new Refusal(423, 'core::authentication::locked', 'This account is locked.'),
}

export async function login(world: World, tokens: Tokens, input: z.output<typeof credentials>): Promise<Answer> {
  const result = await checkPassword(world, input.email, input.password)
  if (!result.ok) throw refusals[result.why]()
  return ok(await tokens.issue(result.user.id))
}
