import { request } from 'node:http'
import { expect, test } from './support/fixtures.ts'

test.use({ consoleEnvironment: { COMPRESS: 'off' } })

/** The encodings in which a browser would get an address, and those that a page names. */
const encodingOf = (consoleUrl: string, path: string): Promise<{ encoding: string | undefined; body: string }> =>
  new Promise((done, fail) => {
    const { port } = new URL(consoleUrl)
    const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' }
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        done({ encoding: response.headers['content-encoding'], body: Buffer.concat(parts).toString() }),
      )
    })
      .once('error', fail)
      .end()
  })

test('a console behind a proxy that compresses compresses no part of a page itself', { tag: '@long' }, async ({
  programs,
}) => {
  const page = await encodingOf(programs.consoleUrl, '/sign-in')
  expect(page.encoding).toBeUndefined()
  const [style = ''] = /\/_next\/static\/[^"]+\.css/.exec(page.body) ?? []
  const file = await encodingOf(programs.consoleUrl, style)
  expect(file.encoding).toBeUndefined()
  expect(file.body).toContain('{')
  expect((await encodingOf(programs.consoleUrl, '/api/health')).encoding).toBeUndefined()
})
