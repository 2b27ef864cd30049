import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { bearerOf } from '#sandbox/http/caller.ts'
import { type Html, html, page } from '#sandbox/http/html.ts'
import { takeCode } from '#sandbox/security/take-code.ts'
import { emailOf, people, SEED_PASSWORD } from '#sandbox/seed/people.ts'
import type { World } from '#sandbox/world/world.ts'
import { ACR_WITH_CODE, IDP_PATH, USERINFO_PATH } from './provider.ts'
import { checkPassword } from './sign-in.ts'
import type { Tokens } from './tokens.ts'
import { claimsOf, findUser } from './users.ts'

export function mountProvider(app: FastifyInstance, world: World, provider: Provider): void {
  const handle = provider.callback()
  app.register((scope, _options, done) => {
    // The provider reads its own bodies.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${IDP_PATH}/*`, (request, reply) => {
      reply.hijack()
      const { raw } = request
      const original = raw.url ?? IDP_PATH
      Object.assign(raw, { originalUrl: original })
      raw.url = original.slice(IDP_PATH.length)
      void handle(raw, reply.raw)
    })
    done()
  })
  app.register((scope, _options, done) => {
    serveSignInPage(scope, world, provider)
    done()
  })
}

const words = {
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in.',
  locked: 'This account is locked.',
  code: 'The code was rejected.',
  over: 'This sign-in has expired. Go back to the console and start again.',
} as const

type Why = keyof typeof words

const statuses: Readonly<Record<Why, number>> = { wrong: 401, forbidden: 403, locked: 423, code: 401, over: 400 }

function serveSignInPage(app: FastifyInstance, world: World, provider: Provider): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  app.get(`${IDP_PATH}/sign-in/:uid`, async (request, reply) => {
    const asks = await interactionOf(provider, request, reply)
    return send(reply, { why: asks === null ? 'over' : null, email: '', withCode: asks?.code === true })
  })

  app.post(`${IDP_PATH}/sign-in/:uid`, async (request, reply) => {
    const { email = '', password = '', code = '' } = (request.body ?? {}) as Partial<Record<string, string>>
    const asks = await interactionOf(provider, request, reply)
    if (asks === null) return send(reply, { why: 'over', email: '', withCode: false })
    const result = await checkPassword(world, email, password)
    if (!result.ok) return send(reply, { why: result.why, email, withCode: asks.code })
    const { id: accountId } = result.user
    const withCode = asks.code && code.trim() !== ''
    if (withCode && !(await isRightCode(world, accountId, code.trim()))) {
      return send(reply, { why: 'code', email, withCode: true })
    }
    reply.hijack()
    const login = withCode ? { accountId, acr: ACR_WITH_CODE, amr: ['pwd', 'otp'] } : { accountId, amr: ['pwd'] }
    await provider.interactionFinished(request.raw, reply.raw, { login })
    return reply
  })
}

async function interactionOf(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly code: boolean } | null> {
  try {
    const { params } = await provider.interactionDetails(request.raw, reply.raw)
    const classes = String(params.acr_values ?? '').split(' ')
    return { code: classes.includes(ACR_WITH_CODE) }
  } catch {
    return null
  }
}

const isRightCode = (world: World, userId: string, code: string): Promise<boolean> =>
  world.db.transaction().execute((trx) => takeCode(world, trx, userId, code, 'enrolled'))

interface Shown {
  readonly why: Why | null
  readonly email: string
  /** The client requests a code. The person may still sign in without one. */
  readonly withCode: boolean
}

function send(reply: FastifyReply, shown: Shown): FastifyReply {
  const { why } = shown
  return reply
    .code(why === null ? 200 : statuses[why])
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    )
    .send(page('Sign in', signInForm(shown)))
}

const signInForm = ({ why, email, withCode }: Shown): Html =>
  html`
    <h1>Sign in</h1>
    <p>The sandbox's single sign-on. It replaces the company's own.</p>
    ${why === null ? html`` : html`<p class="wrong" role="alert">${words[why]}</p>`}
    <form class="narrow" method="post">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      ${withCode ? codeField : html``}
      <button type="submit">Sign in</button>
    </form>
    <h2>Who can sign in</h2>
    <p>Everyone's password is <code>${SEED_PASSWORD}</code>.</p>
    <div class="table"><table>${people.map((person) => html`<tr><td>${emailOf(person)}</td><td>${person.about}</td></tr>`)}</table></div>`

const codeField = html`
  <label for="code">Authenticator code</label>
  <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code">
  <p>The console asks for a code. Without one you sign in with the password only.</p>`

export function serveUserinfo(app: FastifyInstance, world: World, tokens: Tokens): void {
  app.get(USERINFO_PATH, async (request, reply) => {
    const token = bearerOf(request.headers.authorization)
    const verified = token === null ? null : await tokens.verify(token)
    const user = verified === null ? undefined : await findUser(world.db, verified.user.id)
    if (user === undefined) {
      const challenge = token === null ? 'Bearer' : 'Bearer error="invalid_token"'
      return reply.code(401).header('www-authenticate', challenge).send({ error: 'invalid_token' })
    }
    return reply.send(claimsOf(user))
  })
}
