import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CHANGES_STOPPED, HANDLE_REPLACED, problemOf } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { askConsole, canRefreshAfter, notDoneWords, problemIn, SESSION_STATE, staleWords } from './ask-console.ts'
import { announceSessionBack, announceSessionEnded, onSessionOver } from './session-events.ts'

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const refusal = (...args: Parameters<typeof problemOf>) =>
  Response.json({ ok: false, problem: problemOf(...args) }, { status: args[1]?.status ?? 500 })

const CONSOLE = 'The console cannot be reached'

test.each<[string, () => Response, string]>([
  ['a browser that is offline', () => Response.error(), CONSOLE],
  ['a proxy that answers with a page of its own', () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), CONSOLE],
  ['a proxy that answers with nothing', () => new Response(null, { status: 503 }), CONSOLE],
  ['a proxy that answers in JSON', () => Response.json({ message: 'no upstream' }, { status: 503 }), CONSOLE],
  ['a proxy that refuses', () => Response.json({ message: 'Forbidden' }, { status: 403 }), CONSOLE],
  [
    'a console without its store',
    () => refusal('console', { status: 503, title: 'The console cannot reach its database' }),
    'The console cannot reach its database',
  ],
  [
    'a console that says so of the service',
    () => refusal('unreachable', { status: 502 }),
    'The service cannot be reached',
  ],
])('%s is told as what it is', async (_what, answer, title) => {
  vi.stubGlobal('fetch', async () => {
    const response = answer()
    if (response.type === 'error') throw new TypeError('Failed to fetch')
    return response
  })
  const problem = problemIn(await askConsole('/api/any'))
  expect(problemWords(problem).title).toBe(title)
  expect(staleWords(problem)).toContain(`${title}.`)
})

test('a refusal for want of a session is told to the page, and no list repeats it', async () => {
  const over = vi.fn()
  onSessionOver(over)
  vi.stubGlobal('fetch', async () => refusal('session-over', { status: 401 }))
  const answer = await askConsole('/api/any')
  expect([answer?.status, over.mock.calls.length, staleWords(problemIn(answer))]).toEqual([401, 1, ''])
})

test('after the session ended a page asks only for its state', async () => {
  const [fetched, over] = [vi.fn(async () => Response.json({ signedIn: false })), vi.fn()]
  vi.stubGlobal('fetch', fetched)
  onSessionOver(over)
  announceSessionEnded()
  expect(problemIn(await askConsole('/api/any'))).toMatchObject({ kind: 'session-over', status: 401 })
  expect([fetched.mock.calls.length, over.mock.calls.length]).toEqual([0, 0])
  expect(await askConsole(SESSION_STATE)).toMatchObject({ status: 200 })
  announceSessionBack()
  await askConsole('/api/any')
  expect(fetched).toHaveBeenCalledTimes(2)
})

test.each([
  ['repeats a request that crossed a renewal in another tab', 1, 200, 0],
  ['asks for a sign-in when the handle stays replaced', 2, 401, 1],
])('%s', async (_what, refusals, status, announced) => {
  vi.useFakeTimers()
  const over = vi.fn()
  onSessionOver(over)
  const fetchOnce = vi.fn(async () =>
    fetchOnce.mock.calls.length <= refusals
      ? refusal('session-over', { status: 401, code: HANDLE_REPLACED })
      : Response.json({ ok: true }),
  )
  vi.stubGlobal('fetch', fetchOnce)
  const answering = askConsole('/api/any', { method: 'POST' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([(await answering)?.status, fetchOnce.mock.calls.length, over.mock.calls.length]).toEqual([
    status,
    2,
    announced,
  ])
})

const DOUBT = 'It is not known whether the view was saved.'

test.each([
  ['no answer', problemOf('console-unreachable'), false, DOUBT],
  ['a failure of the console', problemOf('console', { status: 503 }), false, DOUBT],
  ['an ended session', problemOf('session-over', { status: 401 }), false, 'The view was not saved.'],
  ['stopped changes', problemOf('console', { status: 503, code: CHANGES_STOPPED }), true, 'The view was not saved.'],
  ['a refusal', problemOf('service', { status: 409 }), true, 'The view was not saved.'],
])('a page is read again only after an answer: %s', (_what, problem, canRefresh, words) => {
  expect(canRefreshAfter(problem)).toBe(canRefresh)
  expect(notDoneWords('the view', 'saved', problem)).toContain(words)
})
