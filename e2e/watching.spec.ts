import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { freePort } from './support/ports.ts'
import { findSecrets, handleOf } from './support/received.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signInWithPassword } from './support/sign-in.ts'

const TOKEN = 'a token of the metrics, for this test only'.replaceAll(' ', '-')

/** Takes traces, and keeps what came. */
async function startCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    for await (const part of request) bodies.push(String(part))
    response.end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, text: () => bodies.join(''), stop }
}

test('exposes its work in metrics and traces, and no secret', {
  tag: '@long',
}, async ({ browser, programs, sandbox }) => {
  const [collector, port] = [await startCollector(), await freePort()]
  const { url, program } = await programs.startAnotherConsole((at) => ({
    NEXTAUTH_URL: at,
    METRICS_PORT: String(port),
    METRICS_TOKEN: TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  }))
  const metrics = (origin: string, authorization = '') => fetch(`${origin}/api/metrics`, { headers: { authorization } })
  const own = `http://127.0.0.1:${port}`
  expect((await metrics(url, `Bearer ${TOKEN}`)).status).toBe(404)
  expect((await metrics(own)).status).toBe(401)
  expect((await metrics(own, `Bearer ${TOKEN}x`)).status).toBe(401)

  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  const reference = await sandbox.announceDeposit('ana@example.com', '33')
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  await confirmDeposit(page, reference, '33')
  for (let n = 0; n < 200; n += 1)
    await fetch(`${url}/${n}/operator@example.com?code=${PASSWORD}`, { redirect: 'manual' })

  const handle = await handleOf(context)
  const secrets = [...programs.proxy.tokens, handle, PASSWORD, TOKEN]
  const read = async () => await (await metrics(own, `Bearer ${TOKEN}`)).text()
  // A page opens its stream once it has settled.
  await expect.poll(read).toMatch(/^console_streams_open [1-9]/m)
  const told = await read()
  expect(told).toContain('console_commands_total{kind="deposit.confirm",state="done"} 1')
  expect(told).toMatch(/route="other",method="GET",status="3xx"\} 200$/m)
  await expect.poll(collector.text).toContain('command send')
  const ids = [reference, 'example.com', '00000000-0000-4000-8000']
  for (const text of [told, collector.text()]) {
    expect(findSecrets([{ what: 'told', text }], secrets)).toEqual([])
    expect(ids.filter((id) => text.includes(id))).toEqual([])
  }
  expect(findSecrets([{ what: 'log', text: program.printed }], secrets)).toEqual([])
  expect(program.printed).toMatch(
    /"event":"request","method":"POST","status":200,.*"route":"\/api\/commands\/\[id\]","person":"[^"]+"/,
  )

  // Without its collector the console goes on.
  collector.stop()
  await page.goto('/deposits')
  await expect(page.getByRole('heading', { name: 'Deposits', exact: true })).toBeVisible()
  await context.close()
  expect(await program.stop()).toBe(0)
})

test('a process that is asked to stop tells balancers first, and serves people meanwhile', {
  tag: '@long',
}, async ({ programs }) => {
  const { url, program } = await programs.startAnotherConsole((at) => ({ NEXTAUTH_URL: at, DRAIN_SECONDS: '3' }))
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status
  expect(await status('/api/ready')).toBe(200)
  const stopped = program.stop()
  await expect.poll(() => status('/api/ready')).toBe(503)
  expect([await status('/sign-in'), await status('/api/health')]).toEqual([200, 200])
  expect(await stopped).toBe(0)
})
