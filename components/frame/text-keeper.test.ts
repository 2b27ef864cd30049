import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { announceSessionBack } from '#components/service/session-events.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { releaseUnloadGuards } from './leave-guard.ts'
import { keeperFor, TextKeeper } from './text-keeper.ts'

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

let online: { onLine: boolean }
/** Session storage of the tab. */
let marks: Map<string, string>
/** What the console answers when it is asked for the write of another page. */
let written: { readonly text: string; readonly version: number } | null
let requests: string[]
/** What the console answers next; the last one stays. */
let answers: (number | 'down' | 'slow' | 'no answer' | { readonly other: string })[]
let sent: string[]
let offered: (string | null)[]

const SAVED = { ok: true, version: 1, other: null }

function answerTo(text: string): Response | Promise<Response> {
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  sent.push(text)
  if (answer !== undefined && typeof answer === 'object')
    return Response.json({ ok: true, version: 2, other: answer.other })
  if (answer === 'down') throw new TypeError('Failed to fetch')
  if (answer === 'slow') return new Promise((done) => setTimeout(() => done(Response.json(SAVED)), 1_000))
  if (answer === 'no answer') return new Promise(() => {})
  const status = answer ?? 200
  const kind = status === 401 ? 'session-over' : 'service'
  const problem = status === 200 ? undefined : problemOf(kind, { status, title: `Refused with ${status}.` })
  return Response.json(status === 200 ? SAVED : { ok: false, problem }, { status })
}

beforeEach(() => {
  vi.useFakeTimers()
  answers = [200]
  sent = []
  offered = []
  online = { onLine: true }
  marks = new Map()
  written = null
  requests = []
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => marks.get(key) ?? null,
    setItem: (key: string, value: string) => marks.set(key, value),
    removeItem: (key: string) => marks.delete(key),
  })
  vi.stubGlobal('navigator', online)
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    if (init.method === undefined) {
      requests.push(path)
      return Promise.resolve(Response.json({ ok: true, written }))
    }
    const write = JSON.parse(String(init.body)) as { text: string; offered: string | null }
    offered.push(write.offered)
    const answered = (async () => answerTo(write.text))()
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

const newKeeper = (text = '') => new TextKeeper({ owner: 'sso:1', place: 'case:1', text, version: 0, other: null })

/** Whether leaving the page asks first. */
function asks(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

test('what is typed is stored when the typing pauses, and then leaving asks nothing', async () => {
  const keeper = newKeeper()
  for (const text of ['a', 'ab', 'abc']) keeper.keep(text)
  await wait(300)
  expect([sent, keeper.state().keeping.step, asks()]).toEqual([['abc'], 'kept', false])
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
  expect(keeper.state().keeping).toMatchObject({ step: 'waiting', problem: { kind } })
  expect(asks()).toBe(true)
  answers = [200]
  await wait(15_000)
  expect([sent.at(-1), keeper.state().keeping.step, asks()]).toEqual(['typed', 'kept', false])
})

test('a browser that is offline is asked before anything was tried', () => {
  const keeper = newKeeper()
  online.onLine = false
  keeper.keep('typed')
  expect(asks()).toBe(true)
})

test('saves an earlier text again after a card number', async () => {
  const keeper = newKeeper()
  answers = [200, 422, 200]
  for (const text of ['card 4111', 'card 4111 1111 1111 1111', 'card 4111']) {
    keeper.keep(text)
    await wait(1_000)
  }
  expect(sent).toEqual(['card 4111', 'card 4111 1111 1111 1111', 'card 4111'])
})

test('reports a refused text once, and saves the next', async () => {
  answers = [400, 200]
  const keeper = newKeeper()
  keeper.keep('too long')
  await wait(60_000)
  keeper.flush()
  await wait(0)
  expect(keeper.state().keeping).toMatchObject({ step: 'refused', problem: { title: 'Refused with 400.' } })
  expect([sent, asks()]).toEqual([['too long'], true])
  keeper.keep('short')
  await wait(300)
  expect([sent, keeper.state().keeping.step, asks()]).toEqual([['too long', 'short'], 'kept', false])
})

test('a text that meets the end of the session waits, and is stored when the session is back', async () => {
  answers = [401, 200]
  const keeper = newKeeper('older')
  keeper.keep('newer')
  await wait(60_000)
  expect([sent, keeper.state().keeping.step, asks()]).toEqual([['newer'], 'waiting', true])
  announceSessionBack()
  await wait(0)
  expect([sent, keeper.state().keeping.step, asks()]).toEqual([['newer', 'newer'], 'kept', false])
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

test('a page left while another text is on its way saves its own', async () => {
  answers = ['slow', 200]
  const keeper = newKeeper('first')
  keeper.keep('second')
  keeper.flush()
  keeper.keep('first')
  keeper.flush()
  await wait(0)
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

const MARK = 'unsent sso:1 case:1'

test('marks a write, without its text, and the version it got', async () => {
  const keeper = newKeeper()
  keeper.keep('typed')
  keeper.flush()
  const mark = marks.get(MARK)
  expect(mark).toMatch(/^place=case%3A1&page=[\da-f-]{36}&number=\d+$/)
  await wait(0)
  expect([sent, [...marks]]).toEqual([['typed'], [[MARK, `${mark}&version=1`]]])
  keeper.flush()
  expect(marks.get(MARK)).toBe(`${mark}&version=1`)
})

test('a write that failed stays marked for the next page', async () => {
  answers = [401]
  const keeper = newKeeper()
  keeper.keep('typed')
  await wait(300)
  keeper.flush()
  await wait(0)
  expect([...marks.keys()]).toEqual([MARK])
})

test('a failed text that was changed back leaves no mark', async () => {
  answers = [503]
  const keeper = newKeeper('first')
  keeper.keep('second')
  await wait(300)
  keeper.keep('first')
  await wait(300)
  expect([sent, marks.size, asks()]).toEqual([['second'], 0, false])
})

test('a text of another page is offered, and what was typed stays', async () => {
  const keeper = newKeeper()
  const show = vi.fn()
  keeper.attach(show)
  answers = [{ other: 'late' }, 200]
  keeper.keep('typed')
  await wait(400)
  expect(keeper.state().late).toBe('other')
  expect([sent, keeper.current()]).toEqual([['typed', 'typed'], 'typed'])
  await wait(10_000)
  expect(sent).toHaveLength(2)
  keeper.swap()
  expect([show.mock.calls, keeper.current()]).toEqual([[['late']], 'late'])
  keeper.swap()
  expect(keeper.current()).toBe('typed')
})

describe('a place opened again in the same tab', () => {
  const kept = (place: string, text: string, version: number) => ({ owner: 'sso:1', place, text, version, other: null })

  test('shows the later text of another tab', async () => {
    keeperFor(kept('case:a', '', 0)).keep('typed')
    await wait(400)
    expect(keeperFor(kept('case:a', 'older', 0)).current()).toBe('typed')
    const keeper = keeperFor(kept('case:a', 'typed on', 2))
    expect([keeper.current(), keeper.state().late]).toEqual(['typed on', 'none'])
    expect(keeperFor(kept('case:a', '', 3)).current()).toBe('')
  })

  test('offers its own text when another tab has replaced it', async () => {
    keeperFor(kept('case:c', '', 0)).keep('typed')
    await wait(400)
    const keeper = keeperFor(kept('case:c', 'else', 2))
    expect([keeper.current(), keeper.state().late]).toEqual(['else', 'other'])
    keeper.swap()
    expect(keeper.current()).toBe('typed')
  })

  test('keeps text that is not saved yet', async () => {
    answers = ['down']
    keeperFor(kept('case:b', '', 0)).keep('typed')
    await wait(400)
    expect(keeperFor(kept('case:b', 'of another tab', 2)).current()).toBe('typed')
  })
})

describe('a write that the previous page had not confirmed', () => {
  const QUERY = 'place=case%3A1&page=p&number=7'

  beforeEach(() => marks.set(MARK, QUERY))

  test('is asked for if confirmed after this page was read', async () => {
    marks.set(MARK, `${QUERY}&version=3`)
    const show = vi.fn()
    written = { text: '', version: 3 }
    newKeeper('sent').attach(show)
    await wait(0)
    expect([show.mock.calls, marks.size]).toEqual([[['']], 0])
  })

  test('is not missed if confirmed and removed since', async () => {
    marks.set(MARK, `${QUERY}&version=3`)
    const keeper = newKeeper()
    keeper.attach(() => {})
    await wait(60_000)
    expect([keeper.state().late, requests.length, marks.size]).toEqual(['none', 1, 0])
  })

  test('is not asked for if the page has it', async () => {
    marks.set(MARK, `${QUERY}&version=3`)
    new TextKeeper({ owner: 'sso:1', place: 'case:1', text: '', version: 3, other: null }).attach(() => {})
    await wait(2_000)
    expect(requests).toEqual([])
  })

  test('is asked for until it arrives, and is shown', async () => {
    const [keeper, show] = [newKeeper('older'), vi.fn()]
    keeper.attach(show)
    await wait(4_000)
    expect([keeper.state().late, show.mock.calls, marks.size]).toEqual(['looking', [], 1])
    written = { text: 'typed last', version: 3 }
    await wait(1_000)
    expect([keeper.state().late, show.mock.calls, marks.size]).toEqual(['none', [['typed last']], 0])
    expect(requests[0]).toBe(`/api/session/drafts?${QUERY}`)
  })

  test('is missing after half a minute, and asked for no more', async () => {
    const [keeper, show] = [newKeeper(), vi.fn()]
    keeper.attach(show)
    await wait(120_000)
    expect([keeper.state().late, show.mock.calls, requests.length, marks.size]).toEqual(['missing', [], 30, 0])
    written = { text: 'typed last', version: 3 }
    keeper.lookAgain()
    await wait(0)
    expect([keeper.state().late, show.mock.calls, requests.length]).toEqual(['none', [['typed last']], 31])
  })

  test('is offered beside what was typed meanwhile', async () => {
    const [keeper, show] = [newKeeper(), vi.fn()]
    keeper.attach(show)
    keeper.keep('typed')
    await wait(1_500)
    written = { text: 'late', version: 3 }
    await wait(1_000)
    expect([keeper.state().late, keeper.current(), show.mock.calls]).toEqual(['other', 'typed', []])
    expect(sent).toEqual(['typed', 'typed'])
  })

  test('that arrives during a save does not stay on top', async () => {
    const keeper = newKeeper()
    answers = ['slow', 200]
    written = { text: 'late', version: 3 }
    keeper.attach(() => {})
    keeper.keep('typed')
    keeper.flush()
    await wait(0)
    expect([keeper.state().late, sent]).toEqual(['other', ['typed', 'typed']])
  })

  test('that the page already shows changes nothing', async () => {
    const [keeper, show] = [
      new TextKeeper({ owner: 'sso:1', place: 'case:1', text: 'x', version: 3, other: null }),
      vi.fn(),
    ]
    written = { text: 'x', version: 3 }
    keeper.attach(show)
    keeper.keep('xy')
    await wait(1_000)
    expect([keeper.state().late, keeper.current(), show.mock.calls, sent]).toEqual(['none', 'xy', [], ['xy']])
  })
})

test('a refused text asks only on its own page', async () => {
  const keeper = newKeeper()
  const leave = keeper.attach(() => {})
  answers = [422]
  keeper.keep('4111 1111 1111 1111')
  await wait(300)
  expect(asks()).toBe(true)
  leave()
  expect(asks()).toBe(false)
})

test('keeps the other text that it only offers', async () => {
  const keeper = new TextKeeper({ owner: 'sso:1', place: 'case:1', text: 'mine', version: 2, other: 'theirs' })
  answers = [{ other: 'theirs' }]
  keeper.keep('mine too')
  await wait(2_000)
  expect([sent, offered]).toEqual([['mine too'], ['theirs']])
  expect(keeper.state().late).toBe('other')
})
