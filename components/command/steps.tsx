import { Check } from 'lucide-react'
import { cn } from '#components/ui/cn.ts'
import type { Step } from '#lib/commands/command.ts'

const looks = {
  behind: 'border-good bg-good text-card',
  now: 'border-working shadow-[0_0_0_3px_var(--working-wash)]',
  ahead: 'border-input',
} as const

/** The way of something that goes on by itself, and where on it it is. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="grid gap-2.5 px-3.5 py-3 text-sm">
      {steps.map((step) => (
        <li
          key={step.word}
          aria-current={step.place === 'now' ? 'step' : undefined}
          className={cn(
            'grid grid-cols-[18px_1fr] items-center gap-2.5',
            step.place === 'ahead' && 'text-muted-foreground',
            step.place === 'now' && 'font-semibold',
          )}
        >
          <span className={cn('grid size-4 place-items-center rounded-full border-[1.5px]', looks[step.place])}>
            {step.place === 'behind' ? <Check aria-label="done:" className="size-3 stroke-3" /> : null}
          </span>
          {step.word}
        </li>
      ))}
    </ol>
  )
}
