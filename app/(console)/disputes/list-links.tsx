import Link from 'next/link'
import type { CaseList } from '#lib/disputes/queue/queue.ts'
import { segment, segments } from './segments.ts'

const lists: readonly (readonly [list: CaseList, word: string])[] = [
  ['OPEN', 'Open'],
  ['RESOLVED', 'Resolved'],
  ['ALL', 'All'],
]

/** Changing the list drops all filters. */
export const ListLinks = ({ list }: { list: CaseList }) => (
  <nav aria-label="Cases by status" className={segments}>
    {lists.map(([other, word]) => (
      <Link
        key={other}
        href={`/disputes?status=${other.toLowerCase()}`}
        prefetch={false}
        aria-current={other === list ? 'page' : undefined}
        className={segment}
      >
        {word}
      </Link>
    ))}
  </nav>
)
