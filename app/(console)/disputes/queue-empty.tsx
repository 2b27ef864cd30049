import { EmptyRows, TextLink } from '#components/frame/panel.tsx'
import type { AdminView, CaseList, QueueView } from '#lib/disputes/queue/queue.ts'
import type { PaneFilter } from './(with-queue)/[caseId]/case-navigation.ts'
import { CasesNotKnown } from './queue-cells.tsx'

const words: Readonly<Record<CaseList, string>> = { OPEN: 'open cases', RESOLVED: 'resolved cases', ALL: 'cases' }

interface QueueEmptyProps {
  list: CaseList
  adminView: AdminView
  /** The list has cases, but none matches the filters. */
  hasOthers?: boolean
}

/** Says that a list is empty only with proved admin view: the service may otherwise hide other people's cases. */
export function QueueEmpty({ list, adminView, hasOthers = false }: QueueEmptyProps) {
  if (hasOthers) return <NoMatch list={list} />
  if (adminView === 'proved') return <EmptyRows title={`No ${words[list]}`}>You see everyone’s cases.</EmptyRows>
  return (
    <EmptyRows title={`No ${words[list]} visible to you`}>
      Admin view is not confirmed. Only admins see everyone’s cases, so there may be others.
    </EmptyRows>
  )
}

const NoMatch = ({ list }: { list: CaseList }) => (
  <EmptyRows title="No cases match">
    <TextLink href={`/disputes?status=${list.toLowerCase()}`}>Clear filters</TextLink>
  </EmptyRows>
)

interface PaneEmptyProps {
  view: QueueView
  chosen: PaneFilter
  shown: boolean
}

export function PaneEmpty({ view: { listed, counts, index, adminView }, chosen, shown }: PaneEmptyProps) {
  if (index.completeAt === null) return <CasesNotKnown index={index} what="The list of open cases" />
  if (listed === 0) return <QueueEmpty list="OPEN" adminView={adminView} />
  if (chosen === 'mine' && (counts.claims?.snoozed ?? 0) > 0) return 'All your open cases are snoozed.'
  return shown ? emptyWords[chosen] : 'You cannot see assignees.'
}

const emptyWords: Readonly<Record<PaneFilter, string>> = {
  mine: 'No open cases are assigned to you.',
  unassigned: 'No unassigned cases.',
  all: '',
}
