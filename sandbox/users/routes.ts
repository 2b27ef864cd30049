import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { credentials, registration } from '#lib/contract/users.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import { type Answer, type Gate, ok, serve, serveOpen } from '#sandbox/http/serve.ts'
import { hashPassword, passwordFault } from '#sandbox/identity/password.ts'
import { rolesOf, scopesOf } from '#sandbox/identity/roles.ts'
import { checkPassword } from '#sandbox/identity/sign-in.ts'
import type { Tokens } from '#sandbox/identity/tokens.ts'
import { findUser } from '#sandbox/identity/users.ts'
import type { World } from '#sandbox/world/world.ts'

export function serveUsers(app: FastifyInstance, gate: Gate): void {
  const { world, tokens } = gate
  const { users } = endpoints
  serveOpen(app, users.register, ({ body }) => register(world, body))
  serveOpen(app, users.login, ({ body }) => login(world, tokens, body))
  serveOpen(app, users.refreshToken, ({ body }) => refreshToken(tokens, body.refreshToken))
  serve(app, gate, users.scopes, ({ params }, caller) => readScopes(world, caller, params.id.toLowerCase()))
}

const refusals = {
  wrong: () => new Refusal(401, 'core::authentication::credentials', 'Wrong e-mail address or password.'),
  forbidden: () => new Refusal(403, 'core::authentication::forbidden', 'This account is not permitted to sign in.'),
  locked: () => new Refusal(423, 'core::authentication::locked', 'This account is locked.'),
}

async function login(world: World, tokens: Tokens, input: z.output<typeof credentials>): Promise<Answer> {
  const result = await checkPassword(world, input.email, input.password)
  if (!result.ok) throw refusals[result.why]()
  return ok(await tokens.issue(result.user.id))
}

async function readScopes(world: World, caller: Caller, userId: string): Promise<Answer> {
  const visible = userId === caller.userId || caller.can.seesAllUsers === true
  const user = visible ? await findUser(world.db, userId) : undefined
  if (user === undefined) throw new Refusal(404, 'core::users::not_found', 'No such user.')
  const { names, roles } = rolesOf(user.roles)
  return ok({ roles: names, scopes: scopesOf(roles).map((scope) => scope.replace(/^core:/, '')) })
}

async function refreshToken(tokens: Tokens, value: string): Promise<Answer> {
  const pair = await tokens.refresh(value)
  if (pair === null) {
    throw new Refusal(401, 'core::authentication::refresh', 'The refresh token is not valid. Sign in again.')
  }
  return ok(pair)
}

/** After spaces, dashes and parentheses are removed. */
const PHONE = /^\+\d{7,15}$/

async function register(world: World, input: z.output<typeof registration>): Promise<Answer> {
  const fault = passwordFault(input.password)
  if (fault !== null) throw invalidField('password', fault)
  if (!PHONE.test(input.phoneNumber.replace(/[\s()-]/g, ''))) {
    throw invalidField('phoneNumber', 'must be a phone number in international form, for example +501 600 0000')
  }
  const user = {
    id: randomUUID(),
    first_name: input.firstName,
    last_name: input.lastName,
    email: input.email,
    email_key: input.email.toLowerCase(),
    phone_number: input.phoneNumber,
    username: input.username,
    username_key: input.username.toLowerCase(),
    password_hash: await hashPassword(input.password),
    roles: 'HOLDER',
    kyc_status: 'PENDING',
    may_sign_in: true,
    failed_sign_ins: 0,
    locked_until_ms: null,
    token_generation: 0,
    created_at: world.clock.now(),
  }
  await world.db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto('app_user')
      .values(user)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows === 0n) {
      throw new Refusal(409, 'core::users::taken', 'This e-mail address or username is taken.')
    }
    await trx.insertInto('account').values({ id: user.id, kind: 'wallet' }).execute()
  })
  return ok({
    id: user.id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    phoneNumber: user.phone_number,
    username: user.username,
    kycStatus: user.kyc_status,
    createdAt: user.created_at,
  })
}
