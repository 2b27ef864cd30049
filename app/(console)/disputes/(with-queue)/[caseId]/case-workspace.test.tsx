import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import { caseNotePlace } from '#lib/session/unsent-text-place.ts'
import { CaseHead } from './case-head.tsx'
import { InternalNotes, mentionsIn, UnseenNotes } from './internal-notes.tsx'
import type { SeenWorkspace } from './use-case-workspace.ts'

const CASE = '00000000-0000-4000-8000-0000000c0001'
const ME = { actor: 'sso:me', name: 'me@example.com' }
const MIA = { actor: 'sso:mia', name: 'mia@example.com' }

const seen = vi.hoisted(() => ({ now: {} as unknown as SeenWorkspace }))

vi.mock('./use-case-workspace.ts', () => ({ useCaseWorkspace: () => ({ ...seen.now, refresh: () => {} }) }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => {} }) }))

function given(change: Partial<CaseWorkspace>): void {
  const workspace: CaseWorkspace = {
    me: ME.actor,
    open: true,
    mayWork: true,
    claim: null,
    authors: [],
    closed: false,
    snooze: null,
    watch: null,
    answerBy: null,
    viewers: [],
    notes: [],
    earlierNotes: 0,
    people: [],
    ...change,
  }
  seen.now = { workspace, problem: null }
}

const claimOf = ({ actor, name }: typeof ME) => ({
  caseId: CASE,
  holder: actor,
  holderName: name,
  since: '2026-11-21T09:00:00.000Z',
})

const failed = (change: object) => ({ workspace: null, problem: problemOf('service', { status: 500, ...change }) })

const words = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const buttons = (markup: string) =>
  [...markup.matchAll(/<button[^>]*>(.*?)<\/button>/g)]
    .map(([, inside = '']) => words(inside.replace(/<kbd.*?<\/kbd>/g, '')))
    .filter((word) => !word.includes('copy') && word !== 'Pin')

beforeEach(() => given({}))

describe('the head of a case', () => {
  const found = {
    id: CASE,
    referenceId: 'P2P~1',
    raisedByUserId: 'ana',
    counterpartyUserId: 'ben',
    status: 'OPEN',
    reason: 'It never came.',
    resolutionOutcome: null,
    resolutionReason: null,
    resolvedByUserId: null,
    createdAt: '2026-11-20T09:00:00.0000000Z',
    resolvedAt: null,
  }
  const head = (status = 'OPEN') =>
    renderToStaticMarkup(
      <CaseHead
        found={{ ...found, status }}
        amount="20.25000000"
        connection="refused"
        pinned={false}
        unread={{ upTo: '', words: '', run: null }}
      />,
    )
  /** What stands in the line, and what stands under "More". */
  const parts = () => head().split('popover="auto"') as [string, string]

  test.each<[string, Partial<CaseWorkspace>, string, readonly string[]]>([
    ['an unassigned case', {}, 'Unassigned', ['Assign to me', 'Watch']],
    ['one’s own', { claim: claimOf(ME) }, 'Assignee: you', ['Reassign', 'Snooze', 'Unassign', 'Watch']],
    [
      'one’s own, snoozed',
      { claim: claimOf(ME), snooze: { until: null } },
      'Assignee: you',
      ['Reassign', 'Wake', 'Unassign', 'Watch'],
    ],
    ['somebody else’s', { claim: claimOf(MIA) }, 'Assignee: mia@example.com', ['Reassign to me', 'Watch']],
    ['a watched one', { watch: { notes: 0 } }, 'Watching', ['Assign to me', 'Stop watching']],
    ['one’s own, resolved', { claim: claimOf(ME), open: false }, 'Assignee: you', ['Unassign']],
    ['a resolved one', { open: false }, '', []],
  ])('of %s has one act in its line, and every act under More', (_case, change, said, offered) => {
    given(change)
    const [line, more] = parts()
    expect(words(head())).toContain(said)
    // Its pin and More are icons.
    expect(buttons(line)).toEqual([...offered.slice(0, 1), '', ''])
    expect(buttons(more)).toEqual([...offered, 'Export evidence'])
  })

  test('offers no assignment once the case is resolved', () => {
    expect(buttons(head())).toContain('Assign to me')
    expect(buttons(head('RESOLVED'))).not.toContain('Assign to me')
    expect(words(head('RESOLVED'))).not.toContain('Unassigned')
  })

  test('for somebody without the scopes names the one that is missing', () => {
    given({ mayWork: false })
    const [line, more] = parts()
    for (const part of [line, more]) {
      expect(part).toContain('core:disputes:resolve')
      expect(part).toContain('aria-disabled="true"')
    }
  })

  test('of a snoozed one says until when, below the line', () => {
    expect(words(head())).not.toContain('Snoozed')
    given({ claim: claimOf(MIA), snooze: { until: null } })
    expect(words(head())).toContain('Snoozed until a party writes. ')
    given({ claim: claimOf(MIA), snooze: { until: '2026-11-24T09:00:00.000Z' } })
    expect(words(head())).toContain('Snoozed until 24 Nov 2026, 09:00:00 UTC copy the time , or a party writes. ')
  })

  test('names everyone who also views the case', () => {
    expect(words(head())).not.toContain('Also viewing:')
    given({ viewers: ['a', 'b\u202e', 'c', 'd', 'e'].map((name) => ({ actor: name, name })) })
    expect(words(head())).toContain('Also viewing: a, b[U+202E], c, d, e')
    expect(words(parts()[1])).toContain('Also viewing a, b[U+202E], c, d, e')
  })

  test('has under More what a narrow head leaves out', () => {
    given({ claim: claimOf(MIA) })
    const more = words(parts()[1])
    expect(more).toMatch(/Sender pays 20\.25 BZD/)
    expect(more).toMatch(/Opened 20 Nov 2026, 09:00:00 UTC/)
    expect(more).toContain('mia@example.com, since')
    expect(more).toContain('Not live: No live updates for this case')
  })

  test('that could not be read says so, and offers nothing but to read it again', () => {
    seen.now = failed({})
    const [line, more] = parts()
    expect(words(head())).toContain('Assignee not known')
    // Its pin and More.
    expect(buttons(line)).toEqual(['', ''])
    expect(buttons(more)).toEqual(['Try again'])
  })
})

describe('internal notes', () => {
  const kept = { owner: ME.actor, place: caseNotePlace(CASE), text: 'Half a thou', version: 1, other: null }
  const notes = () => renderToStaticMarkup(<InternalNotes caseId={CASE} kept={kept} />)

  test('say whom they are for, in words of their own, and hold what was typed before', () => {
    expect(words(notes())).toContain('Staff only. The service and the parties never see them.')
    expect(buttons(notes())).toEqual(['Add note'])
    expect(words(notes())).not.toMatch(/send\b|message|reply/i)
    expect(notes()).toContain('>Half a thou</textarea>')
    expect(words(notes())).toContain('No notes yet.')
  })

  test('stand with author and text, hidden characters written out, and the ones before are counted', () => {
    const note = {
      id: '1',
      authorName: 'mia@example.com',
      text: 'first\nsecond\u202e',
      at: '2026-11-21T09:00:00.000Z',
      ...{ mentions: [], isForMe: false },
    }
    given({ notes: [note], earlierNotes: 12 })
    expect(words(notes())).toContain('mia@example.com noted')
    expect(notes()).toContain('first\nsecond[U+202E]')
    expect(words(notes())).toContain('12 earlier notes')
  })

  test('name the assignee of a case that is not theirs', () => {
    const closed = { closed: true, claim: claimOf(MIA) }
    given({ claim: closed.claim })
    expect(words(notes())).not.toContain('who alone can write')
    given(closed)
    expect(words(notes())).toContain('assigned to mia@example.com, who alone can write')
    expect(words(notes())).toContain('Reassign the case to yourself first')
    expect(notes()).toMatch(/<button[^>]*disabled[^>]*>Add note/)
    // What was typed before is still there to be read and copied.
    expect(notes()).toMatch(/<textarea[^>]*readonly[^>]*>Half a thou/i)
    given({ closed: true, claim: claimOf(ME) })
    expect(words(notes())).not.toContain('who alone can write')
  })

  test('mark the names they mention, and those that the reader has not seen', () => {
    const note = { id: 'n1', authorName: MIA.name, text: `@${ME.name} and @zoe`, at: '2026-11-21T09:00:00.000Z' }
    given({ notes: [{ ...note, mentions: [ME], isForMe: true }] })
    expect(notes()).toMatch(/<strong[^>]*text-attention[^>]*>@me@example\.com<\/strong> and @zoe/)
    expect(words(notes())).toContain('Mentioned you')
    const line = () => renderToStaticMarkup(<UnseenNotes caseId={CASE} />)
    expect(words(line())).toMatch(/^mia@example\.com mentioned you in a note .*Show the note$/)
    given({ notes: [{ ...note, mentions: [ME], isForMe: false }] })
    expect(words(notes())).not.toContain('Mentioned you')
    expect(words(line())).toBe('')
    given({ watch: { notes: 2 } })
    expect(words(line())).toBe('2 new notes. Show notes')
  })

  test('that could not be read are not shown as none', () => {
    seen.now = failed({})
    expect(words(notes())).not.toContain('No notes yet')
    expect(words(notes())).toContain('The service could not answer')
  })

  test('are nothing for a party of the case, who gets no field either', () => {
    seen.now = failed({ status: 403, title: 'Not for a party' })
    expect(words(notes())).toContain('Not for a party')
    expect(notes()).not.toContain('textarea')
  })
})

describe('mentions in a note', () => {
  const colleague = (actor: string, name: string) => ({
    ...{ actor, name, awayUntil: null },
    ...{ cases: 0, overTarget: 0, unread: null },
  })
  const people = [colleague('sso:1', 'Ana'), colleague('sso:2', 'Mia'), colleague('sso:3', 'Mia')]
  const none: ReadonlySet<string> = new Set()

  test('are known from the text alone', () => {
    expect(mentionsIn('Ask @Ana, not @Zoe.', people, none)).toEqual({ mentions: ['sso:1'], fault: null })
    expect(mentionsIn('Nobody.', null, none)).toEqual({ mentions: [], fault: null })
  })

  test('of one name need a choice', () => {
    expect(mentionsIn('@Mia', people, none).fault).toContain('Several colleagues are named Mia')
    expect(mentionsIn('@Mia', people, new Set(['sso:3']))).toEqual({ mentions: ['sso:3'], fault: null })
  })

  test('wait until the colleagues are known', () => {
    expect(mentionsIn('@Ana', null, none).fault).toContain('still being read')
  })
})
