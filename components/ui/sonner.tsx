import type { CSSProperties } from 'react'
import { Toaster as Sonner, type ToasterProps } from 'sonner'

/** The variables of the library in the console's own. */
const colours: Record<`--${string}`, string> = {
  '--normal-bg': 'var(--popover)',
  '--normal-text': 'var(--popover-foreground)',
  '--normal-border': 'var(--border)',
}

/** Where notes appear that need no answer. Nothing important is said here alone. */
export function Toaster(props: ToasterProps) {
  return (
    <Sonner
      style={colours as CSSProperties}
      // The library's own colour for it follows the system's theme, not the one that the person chose.
      toastOptions={{ classNames: { description: 'text-muted-foreground!' } }}
      {...props}
    />
  )
}
