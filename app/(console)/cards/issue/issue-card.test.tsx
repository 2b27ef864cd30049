// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CommandState, InFlight } from '#components/command/command-state.ts'
import { isUnloadGuarded } from '#components/frame/leave-guard.ts'
import { commandView } from '#lib/commands/test-command.ts'
import { closePage, renderPage } from '#lib/testing/render-page.ts'
import { CardTypeField, type CardTypeSeen, IssueCard } from './issue-card.tsx'

const seams = vi.hoisted(() => ({
  state: { step: 'idle' } as CommandState,
  inFlight: null as InFlight | null,
  refresh: vi.fn(),
}))
vi.mock('next/navigation', () => ({ useRouter: () => seams }))
vi.mock('#components/command/use-command.ts', () => ({
  useCommand: () => ({ ...seams, faults: {}, heldBy: null, forget: () => {} }),
}))
vi.mock('#components/command/command-outcome.tsx', () => ({ CommandOutcome: () => null }))

const SEEN = [
  { type: '1', name: 'Classic' },
  { type: '2', name: 'Busi\u202Eness' },
]

const field = (seen: readonly CardTypeSeen[] | null, initial = '', fault: string | null = null) =>
  renderToStaticMarkup(<CardTypeField seen={seen} initial={initial} fault={fault} onText={() => {}} />)

const options = (markup: string) => [...markup.matchAll(/<option[^>]*>(.*?)<\/option>/g)].map(([, word]) => word)
const sent = (markup: string) => [...markup.matchAll(/<(input|select)[^>]* name="cardType"[^>]*>/g)].map(([tag]) => tag)

describe('the card type', () => {
  test('is chosen from the types that were read, named as the service names them, or is another one', () => {
    const markup = field(SEEN)
    expect(options(markup)).toEqual(['Choose a card type', '1 Classic', '2 Busi[U+202E]ness', 'Other card type'])
    expect(markup).toContain('Card types that this console has issued or looked up')
    expect(sent(markup)).toEqual([expect.stringContaining('<select')])
  })

  test('that is given and listed is chosen; one that is not listed stands in the free entry', () => {
    expect(field(SEEN, '1')).toMatch(/<option value="1" selected="">/)
    const markup = field(SEEN, '7')
    expect(markup).toMatch(/<option value="other" selected="">/)
    expect(sent(markup)).toEqual([expect.stringMatching(/<input.* value="7"/)])
  })

  test('is a free entry where none was read, or where the person may not see which', () => {
    for (const [seen, words] of [
      [[], 'Product number, e.g. 1.'],
      [null, 'You cannot see the list of types'],
    ] as const) {
      const markup = field(seen, '', 'Choose or enter the card type.')
      expect(options(markup)).toEqual([])
      expect(sent(markup)).toHaveLength(1)
      expect(markup).toContain('Choose or enter the card type.')
      expect(field(seen)).toContain(words)
    }
  })
})

describe('the page', () => {
  const show = (state: CommandState, named: string | null = null) => {
    seams.state = state
    const card = { missingScope: null, latest: null, typed: null, typesSeen: null, replaced: null, holder: '' }
    return renderPage(<IssueCard {...card} named={named} />)
  }
  const command = commandView({ class: 'done', lines: [], steps: [] }, { kind: 'card.issue' })
  const query = `?command=${command.id}`
  afterEach(async () => {
    await closePage()
    history.replaceState(null, '', '/')
    vi.restoreAllMocks()
  })

  test('asks before what was typed is lost', async () => {
    await show({ step: 'idle' })
    const name = document.querySelector<HTMLInputElement>('[name="printedName"]')
    expect(isUnloadGuarded()).toBe(false)
    if (name !== null) name.value = 'Ana Alvarez'
    expect(isUnloadGuarded()).toBe(true)
  })

  test('asks before leaving while a card is issued', async () => {
    const command = { id: 'c1', kind: 'card.issue' }
    seams.inFlight = { ...command, sinceMs: 0 } as unknown as InFlight
    await show({ step: 'checking' })
    expect(isUnloadGuarded()).toBe(true)
    seams.inFlight = null
    await show({ step: 'idle' })
    expect(isUnloadGuarded()).toBe(false)
  })

  test.for([
    [{}, 'Register it below.', 3],
    [{ partyFault: 'You are a party.' }, 'Someone else must register it.', 0],
  ] as const)('shows the holder no form to register the card: %j', async ([change, words, fields]) => {
    const unknown = commandView({ class: 'unknown', checking: '', advice: '' }, change)
    const page = await show({ step: 'outcome', command: unknown, notice: null, once: null }, unknown.id)
    expect(page.textContent).toContain(words)
    const inputs = page.querySelectorAll('input')
    expect(inputs).toHaveLength(fields)
    for (const input of inputs) input.value = '1234'
    expect(isUnloadGuarded()).toBe(fields > 0)
  })

  test('is not read again while the number shows', async () => {
    const outcome = { step: 'outcome', command, notice: null } as const
    await show({ ...outcome, once: { what: 'card-number', cardNumber: '4000000000000002' } })
    expect(seams.refresh).not.toHaveBeenCalled()
    await show({ ...outcome, once: null })
    expect(seams.refresh).toHaveBeenCalledOnce()
  })

  test('is loaded again for a command that it was rendered before', async () => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    history.replaceState(null, '', query)
    await show({ step: 'idle' })
    expect([reload.mock.calls.length, location.search]).toEqual([1, query])
  })

  test('forgets a command that the server does not know', async () => {
    const reload = vi.spyOn(location, 'reload').mockReturnValue()
    history.replaceState(null, '', query)
    await show({ step: 'idle' }, command.id)
    expect([reload.mock.calls.length, location.search]).toEqual([0, ''])
  })
})
