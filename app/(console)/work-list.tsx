'use client'

import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react'
import { OutcomeBadge } from '#components/command/command-row.tsx'
import { MoreLink, Panel, QuietLink } from '#components/frame/panel.tsx'
import { badgeOf } from '#components/ui/badge.tsx'
import { Ban, Check, CircleHelp, FileUp, Timer, Users } from '#components/ui/icons.tsx'
import { Money } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type CommandView, type HomeChanges, isApprovedView } from '#lib/commands/command.ts'
import type { EndingHold, EndingHolds } from '#lib/deposits/confirmed-deposits.ts'
import type { HandOver } from '#lib/deposits/deposit.ts'
import type { AssignedCase, AssignedCases } from '#lib/disputes/unread/assigned-cases.ts'
import type { OpenStatements } from '#lib/statements/statement-list.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import { CaseRow, isWatchedChange, Row } from './work-rows.tsx'

export interface HomeWork extends HomeChanges {
  readonly handOvers?: readonly HandOver[]
}

export interface WorkProps {
  changes: HomeWork
  /** Null if the person cannot have cases; undefined while they are being read. */
  cases: AssignedCases | null | undefined
  holds: EndingHolds
  /** Null while the person's scopes cannot be read. */
  statements: OpenStatements | null
  /** Why the list may be outdated; empty when it is current. */
  stale: string
  empty: ReactNode
}

export function WorkList(work: WorkProps) {
  const { changes, cases, statements, stale, empty } = work
  const groups = groupsOf(work).filter((group) => countWords(group) !== '0')
  const urgent = groups.filter(({ urgent }) => urgent).map((group) => `${group.title}: ${countWords(group)}`)
  const { unknown, unhandled, accepted } = changes.unseen
  return (
    <Panel title="Work" className="outline-none" {...useFocusKept()}>
      <p role="status" className="sr-only">
        {urgent.join(', ')}
      </p>
      {stale === '' ? null : (
        <p role="alert" className="px-3.5 py-2.5 text-attention text-sm">
          {stale}
        </p>
      )}
      {groups.length === 0 && cases !== undefined && statements !== null && stale === '' ? (
        <p className="px-3.5 py-4 text-secondary-foreground text-sm">{empty}</p>
      ) : null}
      {/* One list, so that a row that moves to another group keeps the focus. */}
      <ul>
        {groups.flatMap((group) => [
          <li key={group.title} className="border-t bg-muted/60 first:border-t-0 px-3.5 py-1">
            <h3 className="text-secondary-foreground text-xs">
              {group.title} <span className="figures font-normal">{countWords(group)}</span>
            </h3>
          </li>,
          ...group.rows,
          ...(group.more ?? [])
            .filter(({ count }) => count !== 0)
            .map((more) => (
              <li key={`more ${more.href}`}>
                <MoreLink {...more} />
              </li>
            )),
        ])}
      </ul>
      {cases === undefined ? <p className={footClass}>Still reading your cases.</p> : null}
      {statements === null ? <p className={footClass}>Open statements could not be read.</p> : null}
      {cases == null || cases.snoozed === 0 ? null : (
        <p className={footClass}>
          <QuietLink href="/disputes?claim=snoozed">{counted(cases.snoozed, 'snoozed case')}</QuietLink>
        </p>
      )}
      <Unseen count={unknown + unhandled} words={['needs attention', 'need attention']} />
      <Unseen count={accepted} words={['is in progress', 'are in progress']} />
    </Panel>
  )
}

const footClass = 'border-t px-3.5 py-2.5 text-secondary-foreground text-sm'

const Unseen = ({ count, words: [one, several] }: { count: number; words: readonly [string, string] }) =>
  count === 0 ? null : (
    <p className={footClass}>
      {counted(count, 'change')} by others that you cannot see {count === 1 ? one : several}
    </p>
  )

/** The link or button that takes the place of a removed one gets its focus. */
function useFocusKept() {
  const panel = useRef<HTMLElement>(null)
  const place = useRef<number | null>(null)
  const controls = () => [...(panel.current?.querySelectorAll<HTMLElement>('a, button') ?? [])]
  useEffect(() => {
    if (place.current === null || document.activeElement !== document.body) return
    const left = controls()
    const next = left[Math.min(place.current, left.length - 1)] ?? panel.current
    next?.focus()
  })
  return {
    ref: panel,
    tabIndex: -1,
    onFocus({ target }: FocusEvent) {
      place.current = Math.max(0, controls().indexOf(target as HTMLElement))
    },
    // React dispatches no blur for an element that it removes.
    onBlur() {
      place.current = null
    },
  }
}

interface Group {
  readonly title: string
  readonly rows: readonly ReactNode[]
  /** Beyond the read limit; `count` is null if their number is unknown. */
  readonly more?: readonly { readonly count: number | null; readonly href: string }[]
  readonly urgent?: true
}

function countWords({ rows, more = [] }: Group): string {
  const count = more.reduce((sum, { count }) => sum + (count ?? 0), rows.length)
  return `${formatCount(count)}${more.some(({ count }) => count === null) ? '+' : ''}`
}

function groupsOf({ changes, cases, holds: { holds, count }, statements }: WorkProps): readonly Group[] {
  const { late, unhandled, seen, more, approvals } = changes
  const byHand = seen.filter(({ settledByHand }) => settledByHand)
  const watched = (isAccepted: boolean) =>
    changeRows(
      seen.filter(({ settledByHand, outcome }) => !settledByHand && (outcome.class === 'accepted') === isAccepted),
      { note: ({ nextReconcileAt }) => (nextReconcileAt === null ? 'waits for someone with access' : null) },
    )
  const caseRows = (fits: (one: AssignedCase) => boolean) =>
    cases?.cases.filter(fits).map((one) => <CaseRow key={one.id} one={one} />) ?? []
  const noteToDecide = ({ id, outcome }: CommandView) => {
    if (outcome.class === 'approval' && outcome.rereadOf !== undefined) return 'updates to read'
    return approvals.overdue[id] ? `waiting for ${approvals.overdue[id]}` : null
  }
  const [approved, undecided] = [
    approvals.own.filter(isApprovedView),
    approvals.own.filter((own) => !isApprovedView(own)),
  ]
  return [
    {
      title: 'Needs a decision',
      rows: [
        ...changeRows(late, { act: 'Open change', note: () => 'no effect found before' }),
        ...changeRows(unhandled, { act: 'Decide' }),
        ...changeRows(byHand, { act: 'Decide', mark: badgeOf(CircleHelp, 'unknown', 'not known yet') }),
      ],
      more: [
        { count: more.late ? null : 0, href: '/activity?outcome=late' },
        { count: more.unhandled, href: '/activity?outcome=attention' },
      ],
      urgent: true,
    },
    {
      title: 'Approvals',
      rows: [
        ...changeRows(approvals.toDecide, {
          area: 'approvals',
          act: 'Decide',
          mark: badgeOf(Users, 'attention', 'needs approval'),
          note: noteToDecide,
        }),
        ...changeRows(approved, { act: 'Send', mark: badgeOf(Check, 'good', 'approved') }),
        ...changeRows(approvals.endedUnsent, {
          mark: badgeOf(Ban, 'attention', 'ended, not sent'),
          note: ({ outcome }) => ('title' in outcome ? outcome.title : 'the data has changed'),
        }),
      ],
      urgent: true,
    },
    {
      title: 'Handed over',
      rows: (changes.handOvers ?? []).map((one) => <HandOverRow key={one.reference} handOver={one} />),
      urgent: true,
    },
    {
      title: 'Being checked',
      rows: watched(false),
      more: [{ count: more.unknown, href: '/activity?outcome=attention' }],
      urgent: true,
    },
    {
      title: 'Mentions',
      rows: caseRows(({ notice }) => (notice?.mention ?? null) !== null),
      urgent: true,
    },
    {
      title: 'My cases',
      rows: caseRows(({ notice }) => notice === undefined || (notice.assigned && notice.mention === null)),
      more: [{ count: cases?.more.assigned ?? 0, href: '/disputes?claim=mine' }],
      urgent: true,
    },
    {
      title: 'Watched cases',
      rows: caseRows(isWatchedChange),
      // Whether the cases beyond have changed is not known.
      more: [{ count: cases?.more.watched ? null : 0, href: '/disputes?notice=watching' }],
      urgent: true,
    },
    {
      title: 'Open statements',
      rows: (statements?.statements ?? []).map((one) => <StatementRow key={one.id} statement={one} />),
      more: [{ count: (statements?.count ?? 0) - (statements?.statements.length ?? 0), href: '/deposits/statements' }],
    },
    {
      title: 'Holds ending within 24 hours',
      rows: holds.map((hold) => <HoldRow key={hold.reference} hold={hold} />),
      more: [{ count: count === null ? null : count - holds.length, href: '/deposits' }],
    },
    {
      title: 'In progress',
      rows: [
        ...watched(true),
        ...changeRows(undecided, { mark: badgeOf(Users, 'neutral', 'others decide'), note: noteToDecide }),
      ],
      more: [{ count: more.accepted, href: '/activity?outcome=working' }],
    },
  ]
}

interface ChangeOptions {
  area?: 'activity' | 'approvals'
  mark?: ReactNode
  act?: string
  note?: (command: CommandView) => string | null
}

const changeRows = (commands: readonly CommandView[], options: ChangeOptions) =>
  commands.map((command) => <ChangeRow key={command.id} command={command} {...options} />)

function ChangeRow({ command, area = 'activity', mark, act, note }: ChangeOptions & { command: CommandView }) {
  const { id, title, actorName, sentAt, outcome } = command
  const words = note?.(command) ?? null
  return (
    <Row
      mark={mark ?? <OutcomeBadge command={command} />}
      href={`/${area}/${id}`}
      title={title}
      act={act}
      facts={
        <>
          {visibleText(actorName)}
          {sentAt === null ? null : (
            <span className="whitespace-nowrap">
              , <Timestamp value={sentAt} as="past" />
            </span>
          )}
          {outcome.class === 'approval' ? (
            <span className="whitespace-nowrap">
              , expires <Timestamp value={outcome.expiresAt} as="ahead" />
            </span>
          ) : null}
          {words === null ? null : `, ${words}`}
        </>
      }
    />
  )
}

function HandOverRow({ handOver }: { handOver: HandOver }) {
  const { reference, amount, from, to, reader, at, reason, handedBackAt } = handOver
  const isBack = reader === 'sender'
  return (
    <Row
      mark={badgeOf(Users, 'attention', isBack ? 'handed back' : 'handed to you')}
      href={`/deposits?${new URLSearchParams({ reference })}`}
      title={`Deposit of ${shownAmount(amount)} BZD`}
      act="Open deposit"
      facts={
        <>
          <Reference short value={reference} name="Reference" />, {isBack ? 'by' : 'from'}{' '}
          {visibleText(isBack ? to : from)}, <Timestamp value={handedBackAt ?? at} as="past" />
          {isBack || reason === '' ? null : `. ${visibleText(reason)}`}
        </>
      }
    />
  )
}

function StatementRow({ statement }: { statement: OpenStatements['statements'][number] }) {
  const { id, fileName, open, importedAt, importedBy } = statement
  const lines = open.reduce((sum, { count }) => sum + count, 0)
  return (
    <Row
      mark={badgeOf(FileUp, 'neutral', `${counted(lines, 'line')} open`)}
      href={`/deposits/statements/${encodeURIComponent(id)}`}
      title={visibleText(fileName)}
      act="Open statement"
      facts={
        <>
          {open.map(({ currency, sum }) => `${shownAmount(sum)} ${visibleText(currency)}`).join(', ')}, imported by{' '}
          {visibleText(importedBy)}, <Timestamp value={importedAt} as="past" />
        </>
      }
    />
  )
}

const HoldRow = ({ hold: { reference, amount, endsAt, latest, readNow } }: { hold: EndingHold }) => (
  <Row
    mark={badgeOf(Timer, 'neutral', 'hold ends')}
    title={
      <Reference short value={reference} name="Reference" href={`/transactions/${encodeURIComponent(reference)}`} />
    }
    facts={
      <>
        <Money amount={amount} />, {latest ? 'at the latest ' : null}
        <Timestamp value={endsAt} as="ahead" />
        {readNow ? null : ', as last seen'}
      </>
    }
  />
)
