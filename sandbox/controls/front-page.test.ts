import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { controlList, faultEffects } from './control-list.ts'
import { exampleOf, sampleOf } from './front-page.ts'

let box: TestSandbox

beforeAll(async () => {
  box = await testSandbox()
})
beforeEach(() => box.reset())

const decoded = (html: string): string => html.replace(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)))

const readPage = async () => {
  const response = await fetch(`${box.url}/sandbox`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  return decoded(await response.text())
}

test('lists who can sign in, the links, and what waits', async () => {
  const text = await readPage()
  for (const name of ['operator', 'arbitrator', 'admin', 'viewer', 'newcomer', 'ana', 'ben', 'cleo', 'dario']) {
    expect(text).toContain(`${name}@example.com`)
  }
  for (const path of ['/sandbox/authenticator', '/reference', '/openapi.json']) {
    expect(text).toContain(`href="${path}"`)
    expect((await fetch(box.url + path)).status).toBe(200)
  }
  expect(text).toContain('DEP~90/ad 7%2B+ü?#.20261101')
  expect(text.match(/DEP~[^<]+20261101/g)?.length).toBeGreaterThanOrEqual(6)
})

test('what people wrote is text on it, never markup', async () => {
  await box.call('POST', '/api/v1/Transaction/deposit', {
    as: 'ana@example.com',
    body: { amount: 1, note: '<script>alert(1)</script>' },
  })
  const raw = await (await fetch(`${box.url}/sandbox`)).text()
  expect(raw).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(raw).not.toContain('<script')
})

test('every control that is served is on it, with an example that works', async () => {
  const controls = controlList(await sampleOf(box.sandbox.world.db))
  const text = await readPage()
  for (const control of controls) {
    expect(text).toContain(exampleOf('http://localhost:4010', control))
    await box.reset()
    const response = await fetch(box.url + control.path, {
      method: control.method,
      ...(control.body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(control.body) }),
    })
    expect(response.status, `${control.method} ${control.path}`).toBe(200)
  }
  // The branch of the router's tree below `/sandbox`, one route a line, without its parameters.
  const [, branch = ''] =
    /^├── \/sandbox \(.*\n((?:│ .*\n)+)/m.exec(box.sandbox.app.printRoutes({ commonPrefix: false })) ?? []
  const served = [...branch.matchAll(/── (\/[\w/]*\w)/g)].map(([, path]) => `/sandbox${path}`)
  expect(served.length).toBeGreaterThan(10)
  const listed = controls.map(({ path }) => path)
  for (const path of served)
    expect(
      [...listed, '/sandbox/webhooks/kyc'].some((one) => one.startsWith(path)),
      path,
    ).toBe(true)
})

test.each(faultEffects)('the fault %j is taken', async (effect) => {
  const body = { method: 'GET', path: '/health', times: 1, effect }
  expect((await box.call('POST', '/sandbox/faults', { body })).status).toBe(200)
  expect(await readPage()).toContain(JSON.stringify(effect))
})
