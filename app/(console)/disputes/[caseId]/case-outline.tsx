import { CountedTitle } from '#components/frame/counted-title.tsx'
import { PanelOutline } from '#components/frame/panel-outline.tsx'
import { cn } from '#components/ui/cn.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Reference } from '#components/values/reference.tsx'
import { PaneOutline } from '../queue-pane-list.tsx'
import { caseColumns, caseFrame, caseHeadLine, caseTabs, factsPane } from './pane-layout.ts'

const bubbles = ['w-72', 'w-96', 'w-56', 'w-80'] as const

/** A loading outline in which each part is as high as the part that replaces it. */
export const CaseOutline = ({ caseId }: { caseId: string }) => (
  <div aria-busy="true" className={caseFrame}>
    <CountedTitle>Dispute case</CountedTitle>
    <div className={caseTabs}>
      <Skeleton className="h-8 w-full short:h-7" />
    </div>
    <div className={caseColumns}>
      <div className="hidden min-h-0 min-w-0 flex-col border-r wide:flex">
        <PaneOutline />
      </div>
      <div className="flex min-h-0 min-w-0 flex-col">
        <div className="@container shrink-0 border-b">
          <div className={caseHeadLine}>
            <span className="min-w-[8ch] max-w-[18ch] font-semibold">
              <Reference value={caseId} name="Case" short mark />
            </span>
            <Skeleton className="h-5 w-16" />
            <p role="status" className="text-secondary-foreground text-sm">
              Reading the case
            </p>
          </div>
        </div>
        <div className="shrink-0 border-b px-4 py-2 short:py-0.5 sm:px-6">
          <Skeleton className="my-1.5 h-4 w-64 max-w-full" />
          <Skeleton className="my-1 h-3 w-80 max-w-full short:hidden" />
        </div>
        <div className="grid min-h-0 flex-1 content-end gap-3 overflow-hidden px-4 py-4 short:py-2 sm:px-6">
          {bubbles.map((width) => (
            <Skeleton key={width} className={cn('h-9 max-w-full shrink-0 rounded-lg', width)} />
          ))}
        </div>
        <div className="h-42.5 short:h-11.5 shrink-0 border-t px-4 py-3 short:py-1.5 sm:px-6">
          <Skeleton className="h-full w-full rounded-md" />
        </div>
      </div>
      <div className={cn(factsPane, 'hidden wide:flex')}>
        <PanelOutline title="Resolve" lines={12} />
        <PanelOutline title="Transaction" lines={9} />
      </div>
    </div>
  </div>
)
