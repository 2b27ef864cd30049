import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { type Html, html, page } from '#sandbox/http/html.ts'
import { emailOf, people, SEED_PASSWORD } from '#sandbox/seed/people.ts'
import type { World } from '#sandbox/world/world.ts'
import { IDP_PATH } from './provider.ts'
import { checkPassword } from './sign-in.ts'

const words = {
  wrong: 'Wrong e-mail address or password.',
  forbidden: 'This account is not permitted to sign in.',
  locked: 'This account is locked.',
  over: 'This sign-in has expired. Go back to the console and start again.',
} as const

type Why = keyof typeof words

const statuses: Readonly<Record<Why, number>> = { wrong: 401, forbidden: 403, locked: 423, over: 400 }

/** The identity provider's own sign-in page: e-mail, password, no script. */
export function serveSignInPage(app: FastifyInstance, world: World, provider: Provider): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )

  app.get(`${IDP_PATH}/sign-in/:uid`, async (request, reply) => {
    const open = await isOpen(provider, request, reply)
    return send(reply, open ? null : 'over', '')
  })

  app.post(`${IDP_PATH}/sign-in/:uid`, async (request, reply) => {
    const form = (request.body ?? {}) as { email?: string; password?: string }
    if (!(await isOpen(provider, request, reply))) return send(reply, 'over', '')
    const result = await checkPassword(world, form.email ?? '', form.password ?? '')
    if (!result.ok) return send(reply, result.why, form.email ?? '')
    reply.hijack()
    await provider.interactionFinished(request.raw, reply.raw, { login: { accountId: result.user.id } })
    return reply
  })
}

async function isOpen(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  try {
    await provider.interactionDetails(request.raw, reply.raw)
    return true
  } catch {
    return false
  }
}

function send(reply: FastifyReply, why: Why | null, email: string): FastifyReply {
  return reply
    .code(why === null ? 200 : statuses[why])
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    )
    .send(page('Sign in', signInForm(why, email)))
}

function signInForm(why: Why | null, email: string): Html {
  return html`
    <h1>Sign in</h1>
    <p>The sandbox's single sign-on. It stands in for the company's own.</p>
    ${why === null ? html`` : html`<p class="wrong" role="alert">${words[why]}</p>`}
    <form class="narrow" method="post">
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" autocomplete="username" required autofocus value="${email}">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      <button type="submit">Sign in</button>
    </form>
    <h2>Who can sign in</h2>
    <p>Everyone's password is <code>${SEED_PASSWORD}</code>.</p>
    <div class="table"><table>${people.map((person) => html`<tr><td>${emailOf(person)}</td><td>${person.about}</td></tr>`)}</table></div>`
}
