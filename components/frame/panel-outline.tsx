import { Skeleton } from '#components/ui/skeleton.tsx'
import { Panel } from './panel.tsx'

interface PanelOutlineProps {
  title: string
  lines: number
}

export const PanelOutline = ({ title, lines }: PanelOutlineProps) => (
  <Panel title={title} aria-busy="true">
    <div className="grid gap-y-0.5 px-3.5 py-2.5">
      <p role="status" className="sr-only">
        Reading
      </p>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike and never change places.
        <span key={at} aria-hidden className="flex min-h-6.5 items-center justify-between gap-x-4">
          <Skeleton className="h-2.5 w-24" />
          <Skeleton className="h-2.5 w-36" />
        </span>
      ))}
    </div>
  </Panel>
)
