import { Suspense, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import type { DiscardDialogProps } from './discard-dialog.tsx'

const DiscardDialog = onDemand(
  () => import('./discard-dialog.tsx').then((it) => it.DiscardDialog),
  ({ onClose }) => onClose,
)

interface DiscardStatementProps extends Omit<DiscardDialogProps, 'onClose'> {
  /** Why it cannot be discarded now; null when it can. */
  blocked: string | null
}

/** The way to discard a statement. */
export function DiscardStatement({ blocked, ...statement }: DiscardStatementProps) {
  const hydrated = useHydrated()
  const [asking, setAsking] = useState(false)
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
      {blocked ?? 'Were the columns mapped wrongly?'}
      <Button variant="ghost" disabled={!hydrated || blocked !== null} onClick={() => setAsking(true)}>
        Discard this statement
      </Button>
      <Suspense>{asking ? <DiscardDialog {...statement} onClose={() => setAsking(false)} /> : null}</Suspense>
    </p>
  )
}
