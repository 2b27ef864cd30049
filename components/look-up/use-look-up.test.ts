import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { LookUpFrame } from '#lib/look-up/thing.ts'
import { type LookUpState, lookUp } from './use-look-up.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const answer = (body: BodyInit | null, status = 200) => vi.fn(async () => new Response(body, { status }))

/** What is told of a look-up, to its end. */
async function toldOf(fetched: ReturnType<typeof answer>, text = 'P2P~1'): Promise<readonly LookUpState[]> {
  vi.stubGlobal('fetch', fetched)
  const told: LookUpState[] = []
  await lookUp(text, new AbortController().signal, (state) => told.push(state))
  return told
}

const lines = (...frames: readonly LookUpFrame[]) => `${frames.map((frame) => JSON.stringify(frame)).join('\n')}\n`

test('shows each result as it comes, for its text', async () => {
  const fetched = answer(
    lines(
      { kind: 'searched', sources: ['users'] },
      { kind: 'failed', source: 'users', problem: problemOf('unreachable') },
      { kind: 'end' },
    ),
  )
  const told = await toldOf(fetched)
  expect(told.map(({ searched, failed, ms }) => [searched?.length, Object.keys(failed).length, ms === null])).toEqual([
    [1, 0, true],
    [1, 1, true],
    [1, 1, false],
  ])
  expect(new Set(told.map(({ text }) => text))).toEqual(new Set(['P2P~1']))
  expect(fetched.mock.calls[0]).toEqual(['/api/look-up', expect.objectContaining({ body: '{"text":"P2P~1"}' })])
})

test('an answer that breaks off, or none at all, is said to be incomplete', async () => {
  const broken = await toldOf(answer(lines({ kind: 'searched', sources: ['users'] })))
  expect(broken.at(-1)?.fault).toBe('The console cannot be reached. Some sources were not searched.')
  const none = await toldOf(vi.fn(async () => Promise.reject(new TypeError('no network'))))
  expect(none.at(-1)?.fault).toBe('The console cannot be reached. Some sources were not searched.')
  const refused = await toldOf(
    answer(JSON.stringify({ problem: problemOf('console', { status: 503, title: 'The console is stopping' }) }), 503),
  )
  expect(refused.at(-1)).toMatchObject({ fault: 'The console is stopping.', searched: [] })
})

test('a card number never leaves the page', async () => {
  const fetched = answer('')
  expect((await toldOf(fetched, '4111111111111111')).at(-1)?.fault).toContain('Card numbers')
  expect(fetched).not.toHaveBeenCalled()
})
