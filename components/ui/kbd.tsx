import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return (
    <kbd
      data-slot="kbd"
      className={cn('rounded border border-current px-1 font-sans text-[11px] opacity-80', className)}
      {...rest}
    />
  )
}

/** Hidden from screen readers, which get `aria-keyshortcuts`, and on touch screens. */
export const ShortcutHint = ({ of }: { of: string }) => (
  <Kbd aria-hidden className="leading-4 pointer-coarse:hidden">
    {of}
  </Kbd>
)
