import type { FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import type { World } from '#sandbox/world/world.ts'
import { IDP_PATH } from './provider.ts'
import { serveSignInPage } from './sign-in-page.ts'

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
