import { openCaseStream } from './support/case-stream.ts'
import { CONSOLE_AWAY, expect, test } from './support/fixtures.ts'
import { collectReceived, findSecrets, handleOf } from './support/received.ts'
import { signIn } from './support/sign-in.ts'

test('a message reaches the browser at once, and no token does', async ({ page, context, sandbox, programs }) => {
  const received = collectReceived(page)
  const before = (await sandbox.hubTokens()).length
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com')
  const stream = await openCaseStream(page, caseId)
  await expect.poll(() => stream.state()).toBe('live')
  await sandbox.postMessage(caseId, 'ana@example.com', 'Nothing came.')
  await sandbox.postMessage(caseId, 'ben@example.com', 'It was sent.')
  await expect.poll(async () => (await stream.bodies()).slice(-2)).toEqual(['Nothing came.', 'It was sent.'])

  // Lines of people of earlier tests come again when the sandbox is reset.
  const tokens = (await sandbox.hubTokens()).slice(before)
  expect(tokens.length).toBeGreaterThan(0)
  expect(tokens).toEqual(tokens.map(() => 'header'))
  const secrets = [...programs.proxy.tokens, await handleOf(context)]
  const streamed = { what: 'stream', text: JSON.stringify(await stream.events()) }
  const log = { what: 'log', text: programs.console.printed }
  expect(findSecrets([...(await received()), streamed, log], secrets)).toEqual([])
  expect(log.text).toContain('"event":"hub","state":"connected"')
  expect(log.text).not.toContain('/hubs/')
})

test('signing out ends the stream and the line to the hub', { tag: '@long' }, async ({ page, context, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com')
  const stream = await openCaseStream(page, caseId)
  await expect.poll(() => stream.state()).toBe('live')
  const other = await context.newPage()
  await other.goto('/deposits')
  await other.getByRole('button', { name: /^Account:/ }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(other).toHaveURL(/\/signed-out/)
  await expect.poll(() => stream.ended()).toBe(true)
  expect((await stream.events()).at(-1)).toEqual({ type: 'closed', why: 'session-over' })
})

test('the stream is for this console’s own pages, and is neither kept nor compressed', async ({
  page,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[013]/)
  const caseId = await sandbox.raiseCase()
  const ask = (topics: unknown, headers: Record<string, string>) =>
    page.evaluate(
      async ([wanted, sent]) => {
        const stop = new AbortController()
        const response = await fetch('/api/stream', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...sent },
          body: JSON.stringify({ topics: wanted }),
          signal: stop.signal,
        })
        const answer = [response.status, ...['content-type', 'cache-control'].map((name) => response.headers.get(name))]
        const encoding = response.headers.get('content-encoding')
        stop.abort()
        return [...answer, encoding]
      },
      [topics, headers] as const,
    )
  const own = { 'x-console': '1' }
  await page.goto('/sign-in')
  const thread = [`thread ${caseId}`]
  expect((await ask(thread, own))[0]).toBe(401)
  await signIn(page, 'arbitrator@example.com')
  expect((await ask(thread, {}))[0]).toBe(403)
  expect((await ask([1], own))[0]).toBe(400)
  expect((await ask(null, own))[0]).toBe(400)
  expect(await ask(thread, own)).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store, no-transform', null])
})

test('a console that stops tells its streams to come back, and stops', { tag: '@long' }, async ({
  page,
  sandbox,
  programs,
  expectedErrors,
}) => {
  expectedErrors.push(CONSOLE_AWAY)
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com')
  const stream = await openCaseStream(page, caseId)
  await expect.poll(() => stream.state()).toBe('live')
  expect(await programs.console.stop('SIGTERM')).toBe(0)
  await expect.poll(async () => (await stream.events()).at(-1)).toEqual({ type: 'resync' })
  await expect.poll(() => stream.ended()).toBe(true)
  await programs.console.start()
})
