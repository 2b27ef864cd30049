import { cva } from 'class-variance-authority'

/** How a button looks, also for a link that should look like one. Kept apart from `Button`, which only a browser can run. */
export const buttonLook = cva(
  'inline-flex items-center justify-center gap-2 rounded-md border py-1 font-[550] leading-4 transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        plain: 'border-line-strong bg-surface text-ink not-disabled:hover:bg-sunken',
        go: 'border-transparent bg-accent text-accent-ink not-disabled:hover:opacity-90',
        danger: 'border-transparent bg-danger text-danger-ink not-disabled:hover:opacity-90',
        quiet: 'border-transparent bg-transparent text-ink-2 not-disabled:hover:bg-sunken not-disabled:hover:text-ink',
      },
      size: {
        normal: 'min-h-8 px-3 text-sm',
        /** As high as a field, to stand beside one. */
        field: 'min-h-8.5 px-3 text-sm',
        icon: 'min-h-8 px-2 text-sm',
        large: 'min-h-10 px-4 text-base',
      },
    },
    defaultVariants: { look: 'plain', size: 'normal' },
  },
)
