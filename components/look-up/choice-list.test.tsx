import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Command, CommandList } from '#components/ui/command.tsx'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { Found, LookUpFrame, RecentThing } from '#lib/look-up/thing.ts'
import { type ChoiceGroup, ChoiceList, choiceGroups, type OmniboxFacts } from './choice-list.tsx'
import { KeyList, keyGroups } from './keys-dialog.tsx'
import { takeRequestedAct } from './requested-act.ts'
import { gapWords, type LookUpState, lookingFor, nothingWords, progressWords, withFrame } from './use-look-up.ts'

const USER = '00000000-0000-4000-8000-000000000014'

const found: Found = {
  kind: 'transaction',
  href: '/transactions/P2P~9f2c',
  words: 'Transaction',
  id: 'P2P~9f2c41aa-77de.20261116',
  detail: '',
  amount: '1250.00000000',
  state: 'DISPUTED',
  outcome: null,
}
const line: Found = {
  ...found,
  kind: 'line',
  href: '/deposits/statements/s?page=3',
  words: 'Line 41 of atl.csv',
  id: null,
  amount: null,
  state: null,
}
const things: readonly RecentThing[] = [
  { kind: 'card', id: USER, label: 'ending 4242', shownAt: '2026-07-01T10:00:00.000Z', pinned: true },
  { kind: 'user', id: USER, label: '', shownAt: '2026-07-01T10:00:00.000Z', pinned: false },
]

const frames = (...all: readonly LookUpFrame[]): LookUpState =>
  all.reduce((state, frame) => withFrame(state, frame, 120), lookingFor('text'))

const groupsOf = (facts: Partial<OmniboxFacts> = {}): readonly ChoiceGroup[] =>
  choiceGroups({ text: '', looked: null, things, scopes: null, ...facts })

const titles = (groups: readonly ChoiceGroup[]) => groups.map(({ title }) => title)

const render = (groups: readonly ChoiceGroup[]): string =>
  renderToStaticMarkup(
    <Command shouldFilter={false} value="">
      <CommandList>
        <ChoiceList groups={groups} onChoose={() => {}} />
      </CommandList>
    </Command>,
  )

test('without a text, what is pinned and recent comes first, then every area and every act', () => {
  const groups = groupsOf()
  expect(titles(groups)).toEqual(['Pinned', 'Recent', 'Go to', 'Do'])
  const html = render(groups)
  expect(html).toContain('ending 4242')
  expect(html).toMatch(/aria-label="pinned"/)
  for (const words of ['Disputes', 'Confirm a deposit', 'Assign the next case to me', 'Sign out', 'Theme: Dark']) {
    expect(html).toContain(words)
  }
  // An option holds nothing that takes the focus by itself.
  expect(html).not.toMatch(/<(a|button)\b/)
})

test('what was found stands first, of the service before the console’s own, with amount and state in words', () => {
  const looked = frames(
    { kind: 'searched', sources: ['transactions', 'lines'] },
    { kind: 'found', source: 'lines', found: [line] },
    { kind: 'found', source: 'transactions', found: [found] },
  )
  const groups = groupsOf({ text: 'P2P~9f2c41aa', looked })
  expect(titles(groups)).toEqual(['At the service', 'In this console'])
  const html = render(groups)
  expect(html).toContain('1,250.00 BZD')
  expect(html).toContain('Disputed')
  expect(html).toContain('P2P~9f2c41aa-77de.20261116')
  expect(html).toContain('Line 41 of atl.csv')
})

test('what was found and is pinned stands there once, and says that it is pinned', () => {
  const pinned: RecentThing = { kind: 'transaction', id: 'P2P~9f2c', label: '', shownAt: '', pinned: true }
  const looked = frames(
    { kind: 'searched', sources: ['transactions'] },
    { kind: 'found', source: 'transactions', found: [found] },
  )
  const groups = groupsOf({ text: 'P2P~9f2c', looked, things: [pinned] })
  expect(titles(groups)).toEqual(['At the service'])
  expect(groups[0]?.choices[0]?.pinned).toBe(true)
})

test('pages, acts and recent things are chosen by their words, every one that was typed', () => {
  const chosen = (text: string) => groupsOf({ text }).flatMap(({ choices }) => choices.map(({ words }) => words))
  expect(chosen('dep')).toEqual(['Deposits', 'Confirm a deposit'])
  expect(chosen('CARD issue')).toEqual(['Issue a card'])
  expect(chosen('policy')).toEqual(['Show the policy'])
  expect(chosen('4242')).toEqual(['Card'])
  expect(chosen('nothing of that name')).toEqual([])
})

test('dims an action without scope, and gives the reason', () => {
  const groups = groupsOf({ scopes: ['core:disputes:resolve'] })
  const of = (words: string) => groups.flatMap(({ choices }) => choices).find((choice) => choice.words === words)
  expect(of('Issue a card')).toMatchObject({ blocked: true, missing: 'needs the scope core:cards:create' })
  expect(of('Assign the next case to me')).toMatchObject({ blocked: false, missing: null })
  expect(of('Sign out')).toMatchObject({ blocked: false })
  expect(of('Deposits')).toMatchObject({ missing: 'needs the scope core:transactions:confirm' })
  expect(of('Deposits')?.blocked).toBeUndefined()
  expect(render(groups)).toMatch(/aria-disabled="true"[^>]*>(?:(?!role="option").)*Issue a card/)
})

test('a source that failed or has not answered is said in words, and then nothing is called not found', () => {
  const first: LookUpFrame = { kind: 'searched', sources: ['transactions', 'users'] }
  const failed = frames(
    first,
    { kind: 'found', source: 'users', found: [] },
    { kind: 'failed', source: 'transactions', problem: problemOf('unreachable') },
    { kind: 'end' },
  )
  expect(gapWords(failed, false)).toEqual(['Transactions could not be searched: The service cannot be reached.'])
  expect(nothingWords(failed, false)).toBeNull()
  expect(progressWords(failed)).toBe('1 of 2 look-ups in 120 ms')

  const slow = frames(first, { kind: 'found', source: 'users', found: [] })
  expect(progressWords(slow)).toBe('1 of 2 look-ups')
  expect(gapWords(slow, false)).toEqual([])
  expect(gapWords(slow, true)).toEqual(['Transactions: no answer yet.'])
  expect(gapWords(lookingFor('x'), true)).toEqual(['The console has not answered yet.'])
  expect(nothingWords(slow, false)).toBeNull()

  const none = frames(
    first,
    { kind: 'found', source: 'users', found: [] },
    { kind: 'found', source: 'transactions', found: [] },
    { kind: 'end' },
  )
  expect(nothingWords(none, true)).toBeNull()
  expect(nothingWords(none, false)).toBe('Not found, or not visible to you: Transactions, Users.')
  expect(gapWords(none, true)).toEqual([])
  // How far back the console itself has looked.
  const withChanges = frames(
    { kind: 'searched', sources: ['changes'] },
    { kind: 'found', source: 'changes', found: [] },
    { kind: 'end' },
  )
  expect(nothingWords(withChanges, false)).toContain('the latest 2,000 changes of each kind')
})

test('the list of keys has each key of the handler, and no place has two', () => {
  const html = renderToStaticMarkup(<KeyList />)
  for (const { lines } of keyGroups) for (const { words } of lines) expect(html).toContain(words)
  const places = keyGroups.find(({ title }) => title === 'Go to')?.lines ?? []
  expect(places.length).toBeGreaterThan(9)
  expect(new Set(places.map(({ keys }) => keys.join(' '))).size).toBe(places.length)
})

test('nothing is done that nobody asked for', () => {
  expect(takeRequestedAct('assign-next')).toBe(false)
})
