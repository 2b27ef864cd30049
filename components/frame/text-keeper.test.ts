import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceSessionBack } from '#components/service/session-events.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type Announcement, LEAVING_COOKIE } from '#lib/session/unsent-text-place.ts'
import { releaseUnloadGuards } from './leave-guard.ts'
import { TextKeeper, page as thisPage } from './text-keeper.ts'

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A page with as much of a browser as keeping takes; its cookie holds what was written last. */
const page = Object.assign(new EventTarget(), { cookie: '' })
let online: { onLine: boolean }
/** What the console answers next; the last one stays. */
let answers: (number | 'down' | 'slow' | 'no answer' | { readonly came: string })[]
let sent: string[]

function answerTo(text: string): Response | Promise<Response> {
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  sent.push(text)
  if (answer !== undefined && typeof answer === 'object') return Response.json({ ok: true, came: answer.came })
  if (answer === 'down') throw new TypeError('Failed to fetch')
  if (answer === 'slow') return new Promise((done) => setTimeout(() => done(Response.json({ ok: true })), 1_000))
  if (answer === 'no answer') return new Promise(() => {})
  const status = answer ?? 200
  const kind = status === 401 ? 'session-over' : 'service'
  const problem = status === 200 ? undefined : problemOf(kind, { status, title: `Refused with ${status}.` })
  return Response.json({ ok: status === 200, problem }, { status })
}

beforeEach(() => {
  vi.useFakeTimers()
  answers = [200]
  sent = []
  online = { onLine: true }
  page.cookie = ''
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', online)
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    const answered = (async () => answerTo((JSON.parse(String(init.body)) as { text: string }).text))()
    const aborted = new Promise<never>((_done, fail) => {
      init.signal?.addEventListener('abort', () => fail(new DOMException('', 'AbortError')))
    })
    return Promise.race([answered, aborted])
  })
})
afterEach(() => {
  releaseUnloadGuards()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const newKeeper = (text = '') => new TextKeeper({ owner: 'sso:1', place: 'case:1', text })

/** Whether leaving the page asks first. */
function asks(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

const announced = (): readonly Announcement[] => {
  const [, value = ''] = (page.cookie.split(';')[0] ?? '').split(`${LEAVING_COOKIE}=`)
  return JSON.parse(decodeURIComponent(value)) as readonly Announcement[]
}

test('what is typed is stored when the typing pauses, and then leaving asks nothing', async () => {
  const keeper = newKeeper()
  for (const text of ['a', 'ab', 'abc']) keeper.keep(text)
  await wait(300)
  expect([sent, keeper.keeping.step, asks()]).toEqual([['abc'], 'kept', false])
})

test.each([
  ['there is no answer', 'down', 'console-unreachable'],
  ['the answer does not come', 'no answer', 'console-unreachable'],
  ['the console has trouble', 503, 'service'],
] as const)('while %s, the text is said to wait, leaving asks, and it is stored later', async (_what, answer, kind) => {
  answers = [answer]
  const keeper = newKeeper()
  keeper.keep('typed')
  await wait(12_000)
  expect(keeper.keeping).toMatchObject({ step: 'waiting', problem: { kind } })
  expect(asks()).toBe(true)
  answers = [200]
  await wait(15_000)
  expect([sent.at(-1), keeper.keeping.step, asks()]).toEqual(['typed', 'kept', false])
})

test('a browser that is offline is asked before anything was tried', () => {
  const keeper = newKeeper()
  online.onLine = false
  keeper.keep('typed')
  expect(asks()).toBe(true)
})

test('a text that is refused is said not to be kept, is not sent again, and the next one is', async () => {
  answers = [400, 200]
  const keeper = newKeeper()
  keeper.keep('too long')
  await wait(60_000)
  keeper.flush()
  await wait(0)
  expect(keeper.keeping).toMatchObject({ step: 'refused', problem: { title: 'Refused with 400.' } })
  expect([sent, asks()]).toEqual([['too long'], true])
  keeper.keep('short')
  await wait(300)
  expect([sent, keeper.keeping.step, asks()]).toEqual([['too long', 'short'], 'kept', false])
})

test('a text that meets the end of the session waits, and is stored when the session is back', async () => {
  answers = [401, 200]
  const keeper = newKeeper('older')
  keeper.keep('newer')
  await wait(60_000)
  expect([sent, keeper.keeping.step, asks()]).toEqual([['newer'], 'waiting', true])
  announceSessionBack()
  await wait(0)
  expect([sent, keeper.keeping.step, asks()]).toEqual([['newer', 'newer'], 'kept', false])
})

test('a text that was changed back while another one was on its way ends in the store', async () => {
  answers = ['slow', 200]
  const keeper = newKeeper('first')
  keeper.keep('second')
  keeper.flush()
  keeper.keep('first')
  await wait(3_000)
  expect(sent).toEqual(['second', 'first'])
})

test('a text whose answer was lost is stored again, though it was changed back', async () => {
  answers = ['down', 200]
  const keeper = newKeeper('first')
  keeper.keep('second')
  await wait(300)
  keeper.keep('first')
  await wait(300)
  expect(sent).toEqual(['second', 'first'])
})

test('a page that is left announces what is on its way, and no longer once it is stored', async () => {
  const keeper = newKeeper()
  keeper.keep('typed')
  keeper.flush(true)
  expect(announced()).toEqual([
    { owner: 'sso:1', place: 'case:1', page: thisPage, number: expect.any(Number), failed: false },
  ])
  expect(page.cookie).toContain('max-age=10;')
  await wait(0)
  expect(announced()).toEqual([])
  expect(page.cookie).toContain('max-age=0;')
})

test('what could not be stored when the page was left is announced as such, for as long as signing in again may take', async () => {
  answers = [401]
  const keeper = newKeeper()
  keeper.keep('typed')
  await wait(300)
  keeper.flush(true)
  await wait(0)
  expect(announced()).toMatchObject([{ place: 'case:1', failed: true }])
  expect(page.cookie).toContain('max-age=3600;')
})

test('a text of the page before that turns out to be there is told, and what was typed is kept only after that', async () => {
  const keeper = newKeeper()
  const came: string[] = []
  keeper.waitFor({ page: 'before', number: 2 }, (text) => {
    came.push(text)
    keeper.waitNoMore()
    keeper.putBack()
  })
  answers = [{ came: 'late' }, 200]
  keeper.keep('typed')
  await wait(400)
  expect(came).toEqual(['late'])
  expect(sent).toEqual(['typed', 'typed'])
  await wait(10_000)
  expect(sent).toHaveLength(2)
})
