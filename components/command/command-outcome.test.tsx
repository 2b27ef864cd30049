// @vitest-environment happy-dom
import { act } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type CommandView, type Outcome, refusedUnsent } from '#lib/commands/command.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { CommandOutcome } from './command-outcome.tsx'
import type { Command } from './command-state.ts'

const commandOf = (command: CommandView, notice: string | null = null, acts: Partial<Command> = {}) => {
  const state = { step: 'outcome', command, once: null, notice }
  return { state, inFlight: null, answers: 0, nextReconcileAt: null, ...acts } as Command
}

const rendered = (outcome: Outcome, notice?: string, change: Partial<CommandView> = {}) =>
  renderToStaticMarkup(<CommandOutcome command={commandOf(commandView(outcome, change), notice)} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('a draft that nobody confirmed is not told as on its way', () => {
  const words = rendered({ class: 'prepared' })
  expect(words).toContain('Nothing was sent')
  expect(words).not.toMatch(/sending|waiting for an answer|on its way/i)
})

test('offers to withdraw an own draft that may be sent', () => {
  const words = rendered({ class: 'prepared' }, undefined, { yours: true })
  expect(words).toContain('Not confirmed yet')
  expect(words).toContain('Cancel it')
  expect(words).not.toContain('Nothing was sent')
})

test('where no effect shows, nobody claims that it did not happen', () => {
  const words = rendered({ class: 'no-effect', title: 'No effect found after two minutes', advice: 'It is Queued.' })
  expect(words).toContain('No effect found after two minutes')
  expect(words).not.toMatch(/did not happen|not done/i)
})

test('what shows late says so', () => {
  expect(rendered({ class: 'done', lines: [], steps: [], late: true })).toContain('It happened after all')
  expect(rendered({ class: 'done', lines: [], steps: [] })).not.toContain('after all')
})

test('what came of a change is said once in the head of its panel', () => {
  expect(rendered({ class: 'done', lines: [], steps: [] }).match(/done/gi)).toHaveLength(1)
  expect(rendered({ class: 'done', lines: [], steps: [], late: true })).toMatch(/It happened after all\s+done/)
})

test('one that failed is told with its reason, and not as done', () => {
  const lines = [{ label: 'Reason', value: 'The reserve is closed.', as: 'text' }] as const
  const words = rendered({ class: 'failed', title: 'The deposit failed permanently', lines })
  expect(words).toContain('The reserve is closed.')
  expect(words).not.toMatch(/\bdone\b/i)
})

test('a party sees why others handle it, and no form', async () => {
  const [mine, others] = [{ settledByHand: true, partyFault: 'You are a party.' }, { settledByHand: true }]
  for (const change of [mine, others]) {
    const command = commandView({ class: 'unknown', checking: '', advice: '' }, change)
    const page = await renderPage(<CommandOutcome command={commandOf(command)} />)
    await act(() => vi.dynamicImportSettled())
    expect(page.querySelector('form') === null).toBe(change === mine)
    expect(page.textContent?.includes('You are a party.')).toBe(change === mine)
    await closePage()
  }
})

test('why it did not come as wanted stands with it', () => {
  const outcome = { class: 'refused', sent: true, title: 'No', advice: '', problem: null } as const
  expect(rendered(outcome, 'The service shows an effect.')).toContain('The service shows an effect.')
})

test('every outcome that came of an answer tells its trace id once, and none is made up', () => {
  const problem = { kind: 'service', status: 400, code: null, title: 'No', traceId: 'trace-1' } as const
  const outcomes: readonly Outcome[] = [
    { class: 'done', lines: [], steps: [] },
    { class: 'unknown', checking: '', advice: '' },
    {
      ...{ class: 'refused', sent: true, title: 'No', advice: '' },
      problem: { ...problem, retryAfterSeconds: null, scope: null },
    },
  ]
  for (const outcome of outcomes) {
    const words = rendered(outcome, undefined, { traceId: 'trace-1' })
    expect(words.match(/copy Trace id/g), outcome.class).toHaveLength(1)
  }
  expect(rendered({ class: 'done', lines: [], steps: [] })).not.toContain('Trace')
})

describe('changed since you looked', () => {
  const outcome: Outcome = { class: 'changed', before: [], now: [] }
  const made = {
    id: 'c-7',
    title: 'Block card 4242',
    actorName: 'colleague@example.com',
    at: '2026-11-20T10:00:00.000Z',
    sure: true,
  }
  const told = (changes: readonly (typeof made)[], hidden = 0) =>
    rendered(outcome, undefined, { meanwhile: { changes, hidden } })

  test('who changed it here leads to that change', () => {
    expect(told([made])).toContain('Block card 4242 , by colleague@example.com,')
    expect(told([made])).not.toMatch(/outside this console|not known/)
    expect(
      renderToStaticMarkup(
        <CommandOutcome command={commandOf(commandView(outcome, { meanwhile: { changes: [made], hidden: 0 } }))} />,
      ),
    ).toContain('href="/activity/c-7"')
  })

  test('what may not be the reason is not told as the reason', () => {
    expect(told([{ ...made, sure: false }])).toContain('it may have caused the change')
  })

  test('where nobody here changed it, and where it was not looked up, nothing is claimed of anybody here', () => {
    expect(told([])).toContain('Changed outside this console.')
    expect(told([], 2)).toContain('2 changes by others that you cannot see')
    expect(rendered(outcome)).not.toMatch(/this console/)
  })
})

describe('dismissing an outcome', () => {
  const REFUSED = refusedUnsent('Refused', '')
  const canDismiss = (
    outcome: Outcome,
    change: Partial<CommandView> = {},
    dismissal: { onDismiss?: () => void } = {},
  ) =>
    renderToStaticMarkup(<CommandOutcome command={commandOf(commandView(outcome, change))} {...dismissal} />).includes(
      'aria-label="Dismiss"',
    )

  test.each<[string, boolean, Outcome, Partial<CommandView>?]>([
    ['a refusal', true, REFUSED],
    ['a change on its way', false, { class: 'sending' }],
    ['a change that keeps a lock', false, REFUSED, { keeps: 'the bank’s reference' }],
    ['a change that Home shows', false, REFUSED, { dismissible: true }],
  ])('of %s is possible: %s', (_what, expected, outcome, change) => {
    expect(canDismiss(outcome, change, { onDismiss: () => {} })).toBe(expected)
    expect(canDismiss(outcome, change)).toBe(false)
  })
})

test.each([
  ['counts down to the next try after a refusal', 2, true],
  ['is silent about a pause that is long over', 3_600, false],
])('%s', async (_what, secondsAgo, isShown) => {
  const problem = problemOf('service', { status: 429, retryAfterSeconds: 50 })
  const settledAt = new Date(Date.now() - secondsAgo * 1_000).toISOString()
  const refused: Outcome = { class: 'refused', sent: true, title: 'Too many requests', advice: '', problem }
  await renderPage(<CommandOutcome command={commandOf(commandView(refused, { settledAt }))} />)
  expect(/You can try again in 4\d s\./.test(document.body.textContent ?? '')).toBe(isShown)
  expect(document.body.textContent?.includes('You can try again')).toBe(isShown)
  await closePage()
})

describe('a request for approval', () => {
  const waits = (approvals: number): Outcome => ({
    ...{ class: 'approval', reason: 'Large', needed: 2, expiresAt: '2026-11-21T10:00:00.000Z' },
    approvedBy: Array.from({ length: approvals }, (_, n) => ({
      name: `Ana ${n}`,
      at: '2026-11-20T10:00:00.000Z',
      reason: '',
    })),
  })
  const approved = { lines: [], consequence: '', button: 'Confirm', effect: '' }
  const shown = async (outcome: Outcome, change: Partial<CommandView>) => {
    const onSend = vi.fn()
    const command = commandView(outcome, { id: 'c-9', ...change })
    await renderPage(<CommandOutcome command={commandOf(command, null, { sendApproved: onSend })} />)
    await expect.poll(() => document.body.textContent).toContain('Expires')
    return { onSend, text: document.body.textContent ?? '' }
  }
  const button = (name: string) => [...document.querySelectorAll('button')].find((it) => it.textContent === name)
  afterEach(closePage)

  test('says how many approved, and leads others to it', async () => {
    expect((await shown(waits(1), { yours: false })).text).toContain('1 of 2')
    expect(document.querySelector('a[href="/approvals/c-9"]')?.textContent).toBe('Open the request')
    expect(button('Send it')).toBeUndefined()
  })

  test('is sent by its author, once approved', async () => {
    const { onSend } = await shown(waits(2), { yours: true, approved })
    await act(async () => button('Send it')?.click())
    expect(onSend).toHaveBeenCalledWith(null)
  })

  test('shows what is new before it is sent', async () => {
    const line = (value: string) => ({ label: 'Last message', value, as: 'text' }) as const
    const changedFacts = { before: [line('First')], now: [line('Second')], mark: 'ab' }
    const { onSend, text } = await shown({ ...waits(2), changedFacts } as Outcome, { yours: true, approved })
    expect(text).toMatch(/New since your request.*First.*Second/)
    await act(async () => button('I have read this, continue')?.click())
    expect(onSend).toHaveBeenCalledWith('ab')
  })
})

test('shows hidden characters in names of people', () => {
  const actorName = 'ana\u202E'
  const stepUp: Outcome = {
    ...{ class: 'step-up' as const, need: 'code' as const, title: '', advice: '', problem: null },
    ...{ rejected: false, triesLeft: 3, lockedSeconds: null, digits: 6 },
  }
  const waiting = rendered(stepUp, undefined, { actorName, yours: false })
  expect(waiting).toContain('Waiting for a code from ana[U+202E]')
  expect(waiting).toMatch(/By ana\[U\+202E\]/)
  const made = { id: 'c', title: 'Block', actorName, at: '2026-11-20T10:00:00.000Z', sure: true }
  const meanwhile = { changes: [made], hidden: 0 }
  expect(rendered({ class: 'changed', before: [], now: [] }, undefined, { meanwhile })).toContain(', by ana[U+202E],')
})
