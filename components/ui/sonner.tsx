import type { CSSProperties } from 'react'
import { Toaster as Sonner, type ToasterProps } from 'sonner'

const colours: Record<`--${string}`, string> = {
  '--normal-bg': 'var(--popover)',
  '--normal-text': 'var(--popover-foreground)',
  '--normal-border': 'var(--border)',
}

/** Toasts disappear, so nothing important may appear only here. */
export function Toaster(props: ToasterProps) {
  return (
    <Sonner
      style={colours as CSSProperties}
      // The library's colour follows the system theme, not the operator's choice.
      toastOptions={{ classNames: { description: 'text-muted-foreground!' } }}
      {...props}
    />
  )
}
