import Link from 'next/link'
import { ButtonLink } from '#components/frame/panel.tsx'
import type { CaseList } from '#lib/disputes/queue/queue.ts'
import { segment, segments } from './class-names.ts'

const lists: readonly (readonly [list: CaseList, word: string])[] = [
  ['OPEN', 'Open'],
  ['RESOLVED', 'Resolved'],
  ['ALL', 'All'],
]

interface SegmentsProps {
  label: string
  shown: string
  links: readonly (readonly [word: string, href: string])[]
}

export const Segments = ({ label, shown, links }: SegmentsProps) => (
  <nav aria-label={label} className={segments}>
    {links.map(([word, href]) => (
      <Link
        key={word}
        href={href}
        prefetch={false}
        aria-current={href === shown ? 'page' : undefined}
        className={segment}
      >
        {word}
      </Link>
    ))}
  </nav>
)

const listHref = (list: CaseList): string => `/disputes?status=${list.toLowerCase()}`

/** Changing the list drops all filters. */
export const ListLinks = ({ list }: { list: CaseList }) => (
  <Segments
    label="Cases by status"
    shown={listHref(list)}
    links={lists.map(([other, word]) => [word, listHref(other)])}
  />
)

export const SharedListLinks = () => (
  <>
    <ButtonLink href="/disputes/categories" variant="ghost">
      Categories
    </ButtonLink>
    <ButtonLink href="/disputes/snippets" variant="ghost">
      Snippets
    </ButtonLink>
  </>
)

/** The key under which the operator's choice of columns is saved. */
export const QUEUE_TABLE = 'dispute-queue'

export const listTitles: Readonly<Record<CaseList, { readonly name: string; readonly order: string }>> = {
  OPEN: { name: 'Open cases', order: ', oldest first' },
  RESOLVED: { name: 'Resolved cases', order: ', latest first' },
  ALL: { name: 'All cases', order: ', oldest first' },
}
