import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { TimePreference } from '#components/values/timestamp.tsx'
import type { ApprovalOutcome, CommandView, HomeChanges, Outcome } from '#lib/commands/command.ts'
import type { HandOver } from '#lib/deposits/deposit.ts'
import type { AssignedCase, AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import type { ThreadState } from '#lib/disputes/unread/thread-state.ts'
import { WorkList, type WorkProps } from './work-list.tsx'
import { CaseRow } from './work-rows.tsx'

const AT = '2026-07-01T10:00:00.000Z'

const change = (title: string, outcome: Outcome, of: Partial<CommandView> = {}): CommandView => ({
  id: `id-${title}`,
  kind: 'deposit.confirm',
  title,
  doneTitle: title,
  target: 'DEP~1',
  actorName: 'ana',
  sentAt: AT,
  settledAt: null,
  traceId: null,
  outcome,
  nextReconcileAt: AT,
  readable: true,
  settledByHand: false,
  settleAs: null,
  ...of,
})
const unknown = { class: 'unknown', checking: '', advice: '' } as const
const accepted: Outcome = {
  ...{ class: 'accepted' as const, answer: 'under-way', shows: '', isUnderWay: true },
  ...{ lines: [], steps: [] },
}
const late = { class: 'done', lines: [], steps: [], late: true } as const
const noEffect = { class: 'no-effect', title: '', advice: '' } as const
const refused = { class: 'refused', sent: false, title: 'It expired', advice: '', problem: null } as const
const approval = (...names: readonly string[]): ApprovalOutcome => ({
  class: 'approval',
  reason: 'Why',
  needed: 1,
  approvedBy: names.map((name) => ({ name, at: AT, reason: '' })),
  expiresAt: AT,
})

const nothing: HomeChanges = {
  late: [],
  seen: [],
  unhandled: [],
  unseen: { unknown: 0, accepted: 0, unhandled: 0 },
  more: { unknown: 0, accepted: 0, unhandled: 0, late: false },
  lately: { changes: [], count: 0 },
  approvals: { toDecide: [], own: [], endedUnsent: [], overdue: {} },
  limits: [],
}

const ID = 'c0000000-0000-4000-8000-000000000001'
const thread: ThreadState = { turn: 'recipient', unread: 2, newest: `${AT} id`, lastAt: AT, lastBy: 'sender' }
const one: AssignedCase = { id: ID, reason: 'The goods never came.', thread, openSince: AT }
const noMore = { assigned: 0, watched: 0 }
const casesOf = (...cases: readonly AssignedCase[]): AssignedCases => ({ cases, more: noMore, snoozed: 0 })
const hold = { reference: 'DEP~1', amount: '500.00000000', endsAt: AT, latest: false, readNow: true }

const htmlOf = (work: Partial<WorkProps>): string =>
  renderToStaticMarkup(
    <WorkList
      changes={nothing}
      cases={casesOf()}
      holds={{ holds: [], count: 0, everyone: true }}
      statements={{ statements: [], count: 0 }}
      stale=""
      empty="Nothing needs you now."
      {...work}
    />,
  )
const words = (work: Partial<WorkProps>): string =>
  htmlOf(work)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('orders work by urgency, with counts', () => {
  const text = words({
    changes: {
      ...nothing,
      late: [change('Late', late)],
      unhandled: [change('Unhandled', noEffect)],
      seen: [
        change('Progress', accepted),
        change('Checked', unknown),
        change('By hand', unknown, { settledByHand: true }),
      ],
      approvals: {
        toDecide: [change('To decide', approval())],
        own: [change('Undecided', approval()), change('To send', approval('ben'))],
        endedUnsent: [change('Declined', refused), change('Moved', { class: 'changed', before: [], now: [] })],
        overdue: { 'id-To decide': '3 h' },
      },
    },
    cases: casesOf(one),
    holds: { holds: [hold], count: 1, everyone: true },
  })
  const inOrder = [
    ...['Needs a decision 3', 'It happened after all Late', 'no effect found Unhandled', 'not known yet By hand'],
    ...[
      'Approvals 4',
      'needs approval To decide',
      'waiting for 3 h',
      'approved To send',
      'ended, not sent Declined',
      'It expired',
      'ended, not sent Moved',
      'the data has changed',
    ],
    ...['Being checked 1', 'checking Checked', 'My cases 1', '2 unread The goods never came.'],
    ...['Holds ending within 24 hours 1', 'hold ends DEP~1', '500.00'],
    ...['In progress 2', 'not confirmed yet Progress', 'others decide Undecided'],
  ]
  const places = inOrder.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((first, second) => first - second))
})

const handOver: HandOver = {
  ...{ reference: 'DEP~7', amount: '60', from: 'ana', to: 'ben', at: AT, reason: 'Over my limit' },
  reader: 'colleague',
  ...{ handedBackAt: null, known: { bankReference: 'ATL 7', statementAmount: '60' } },
}

test('shows deposits that colleagues handed over, or handed back', () => {
  const of = (change: Partial<HandOver>) => htmlOf({ changes: { ...nothing, handOvers: [{ ...handOver, ...change }] } })
  const text = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  expect(text(of({}))).toMatch(/handed to you Deposit of 60\.00 BZD DEP~7 .*from ana.*Over my limit/)
  expect(text(of({ reader: 'sender', handedBackAt: AT }))).toMatch(/handed back Deposit of 60\.00 BZD DEP~7 .*by ben/)
  // The bank’s reference is no part of the address.
  expect(of({})).toContain('href="/deposits?reference=DEP%7E7"')
})

test('leads to where each piece of work is done', () => {
  const html = htmlOf({
    changes: {
      ...nothing,
      unhandled: [change('Unhandled', noEffect)],
      approvals: {
        toDecide: [change('Decide', approval())],
        own: [change('Send', approval('ben'))],
        endedUnsent: [],
        overdue: {},
      },
    },
    cases: casesOf(one),
  })
  const acts = [...html.matchAll(/<a (?=[^>]*data-act)[^>]*href="([^"]+)"[^>]*>([^<]+)</g)]
  expect(acts.map(([, href, act]) => `${act}: ${href}`)).toEqual([
    'Decide: /activity/id-Unhandled',
    'Decide: /approvals/id-Decide',
    'Send: /activity/id-Send',
    `Open case: /disputes/${ID}`,
  ])
})

test('says once that nothing needs the person', () => {
  expect(words({})).toBe(' Work Nothing needs you now. ')
})

test('a list that may be out of date never looks empty', () => {
  expect(words({ stale: 'This page may be out of date.' })).toBe(' Work This page may be out of date. ')
})

test('counts changes that the person may not see', () => {
  const unseen = { unknown: 2, accepted: 1, unhandled: 100 }
  const text = words({ changes: { ...nothing, unseen } })
  expect(text).toContain('102 changes by others that you cannot see need attention')
  expect(text).toContain('1 change by others that you cannot see is in progress')
})

test('counts and links changes beyond the read limit', () => {
  const more = { unknown: 10, accepted: 1_000, unhandled: 3, late: true }
  const html = htmlOf({ changes: { ...nothing, more } })
  for (const link of [
    /"\/activity\?outcome=late"[^>]*>More</,
    /"\/activity\?outcome=attention"[^>]*>3 more</,
    /"\/activity\?outcome=attention"[^>]*>10 more</,
    /"\/activity\?outcome=working"[^>]*>1,000 more</,
  ]) {
    expect(html).toMatch(link)
  }
  expect(words({ changes: { ...nothing, more } })).toMatch(
    /Needs a decision 3\+ .*Being checked 10 .*In progress 1,000/,
  )
})

test('lists a change of any other outcome once', () => {
  const html = htmlOf({ changes: { ...nothing, seen: [change('Other', { class: 'sending' })] } })
  expect(html.match(/id-Other/g)).toHaveLength(1)
})

test('an unknown number of holds is not counted', () => {
  const holds = { holds: [hold], everyone: true }
  expect(words({ holds: { ...holds, count: null } })).toMatch(/24 hours 1\+ .*More/)
  expect(words({ holds: { ...holds, count: 12 } })).toMatch(/24 hours 12 .*11 more/)
})

test('says which holds could not be read', () => {
  const holds = { holds: [{ ...hold, readNow: false }], count: 1, everyone: true }
  expect(words({ holds })).toContain('as last seen')
})

const unchanged = { resolved: false, assignee: null, notes: 0 }
const read = { ...thread, unread: 0, newest: null }

test('mentions come before cases, and watched ones last', () => {
  const text = words({
    cases: casesOf(
      { ...one, id: '1', reason: 'Watched.', notice: { assigned: false, mention: null, watch: unchanged } },
      { ...one, id: '2', reason: 'Mine.', notice: { assigned: true, mention: null, watch: unchanged } },
      {
        ...one,
        id: '3',
        reason: 'Mentioned.',
        notice: { assigned: true, mention: { by: 'mia', at: AT }, watch: null },
      },
    ),
  })
  expect(text).toMatch(
    /Mentions 1 .*mentioned you Mentioned\. .*in a note by mia.*My cases 1 .*Mine\. .*Watched cases 1 .*2 unread Watched\./,
  )
})

test.each([
  [{ ...unchanged, resolved: true, notes: 2 }, / resolved The goods.* New: resolved, 2 notes /],
  [{ ...unchanged, assignee: 'mia' }, / reassigned The goods.* New: assigned to mia /],
  [{ ...unchanged, assignee: '', notes: 1 }, / unassigned The goods.* New: unassigned, 1 note /],
  [{ ...unchanged, notes: 1 }, / new note The goods.* New: 1 note /],
])('says what is new in a watched case', (watch, news) => {
  expect(
    words({ cases: casesOf({ ...one, thread: read, notice: { assigned: false, mention: null, watch } }) }),
  ).toMatch(news)
})

test('a mention alone shows no messages', () => {
  const notice = { assigned: false, mention: { by: 'mia', at: AT }, watch: null }
  const text = words({ cases: casesOf({ ...one, notice }) })
  expect(text).toMatch(/mentioned you The goods never came\. .*in a note by mia/)
  expect(text).not.toMatch(/unread|last message/)
})

test('leaves out a watched case without news', () => {
  const notice = { assigned: false, mention: null, watch: unchanged }
  expect(words({ cases: casesOf({ ...one, thread: read, notice }) })).toBe(' Work Nothing needs you now. ')
  const beyond = { ...casesOf(), more: { assigned: 0, watched: 3 } }
  expect(htmlOf({ cases: beyond })).toContain('href="/disputes?notice=watching"')
})

describe('a case', () => {
  test('shows why it is there, its turn and last message', () => {
    expect(words({ cases: casesOf(one) })).toMatch(
      /2 unread The goods never came\. .* Waiting for the recipient, last message by the sender .* Open case/,
    )
  })

  test('shows how long it is open, beside the target', () => {
    const html = renderToStaticMarkup(
      <TimePreference first="utc" madeAtMs={Date.parse(AT) + 80 * 3_600_000}>
        <CaseRow one={one} />
      </TimePreference>,
    )
    expect(html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(/\. Open 3 d over target /)
  })

  test('that is being read looks neither empty nor read', () => {
    expect(words({ cases: undefined })).toBe(' Work Still reading your cases. ')
    const text = words({ cases: casesOf({ ...one, reason: null, thread: null, openSince: null }) })
    expect(text).toContain('messages not loaded')
    expect(text).not.toMatch(/no messages|Waiting|Open \d/)
  })

  test('in which nobody has written says so', () => {
    const silent = { ...thread, turn: 'us', unread: 0, newest: null, lastAt: null, lastBy: null } as const
    expect(words({ cases: casesOf({ ...one, thread: silent }) })).toMatch(/Waiting for us .*no messages yet/)
  })

  test('shows invisible characters of its reason', () => {
    expect(htmlOf({ cases: casesOf({ ...one, reason: 'a\u202eb' }) })).toContain('a[U+202E]b')
  })
})

test('counts snoozed cases apart from work', () => {
  const text = words({ cases: { cases: [], more: noMore, snoozed: 2 } })
  expect(text).toBe(' Work Nothing needs you now. 2 snoozed cases ')
})

const statement = {
  id: ID,
  fileName: 'July.xml',
  open: [{ statement_id: ID, currency: 'BZD', count: 3, sum: '1250.5' }],
  importedAt: AT,
  importedBy: 'ana',
}

test('lists open statements, with those not shown', () => {
  const html = htmlOf({ statements: { statements: [statement], count: 4 } })
  expect(html).toContain(`href="/deposits/statements/${ID}"`)
  const text = words({ statements: { statements: [statement], count: 4 } })
  expect(text).toMatch(/Open statements 4 .*3 lines open .*July\.xml .*1,250\.50 BZD, imported by ana/)
  expect(text).toContain('3 more')
})

test('says that open statements could not be read', () => {
  const text = words({ statements: null })
  expect(text).toContain('Open statements could not be read.')
  expect(text).not.toContain('Nothing needs you now.')
})

test('shows hidden characters in the name of a change’s author', () => {
  const changes = { ...nothing, late: [change('Late', late, { actorName: 'ana\u202E' })] }
  expect(words({ changes })).toContain('ana[U+202E]')
})
