import { Panel } from '#components/frame/panel.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'

/** What stands of a statement while it is read: totals, the lists, and as many lines as a page has. */
export const LinesOutline = ({ rows }: { rows: number }) => (
  <div aria-busy="true">
    <div className="mb-3 flex min-h-15 items-center gap-8 rounded-lg border bg-card px-3.5 py-2.5">
      {['ready', 'mismatched', 'done', 'looked up'].map((part) => (
        <Skeleton key={part} className="h-2.5 w-28" />
      ))}
    </div>
    <p role="status" className="mb-3 min-h-8 text-secondary-foreground text-sm">
      Reading the lines
    </p>
    <Panel
      title="Lines, in the order of the file"
      className="max-h-[max(28rem,calc(100dvh-13.5rem))] overflow-hidden"
      aria-hidden
    >
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
        <span key={at} className="flex h-9 items-center gap-10 border-b px-3.5">
          <Skeleton className="h-2.5 w-6" />
          <Skeleton className="h-2.5 w-40" />
          <Skeleton className="h-2.5 w-20" />
          <Skeleton className="h-2.5 w-32" />
        </span>
      ))}
    </Panel>
  </div>
)
