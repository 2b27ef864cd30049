import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

interface ProgressProps extends ComponentProps<'div'> {
  value?: number | null
  max?: number
}

export function Progress({ className, value = null, max = 100, ...rest }: ProgressProps) {
  const most = Math.max(1, max)
  const done = value === null ? null : Math.min(Math.max(0, value), most)
  return (
    <div
      data-slot="progress"
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={done ?? undefined}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-border', className)}
      {...rest}
    >
      <div
        className={cn(
          'h-full bg-primary transition-[width] forced-colors:bg-[Highlight]',
          done === null && 'animate-pulse',
        )}
        style={{ width: done === null ? '100%' : `${(done / most) * 100}%` }}
      />
    </div>
  )
}
