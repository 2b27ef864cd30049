import type { ComponentProps } from 'react'
import { Input } from '#components/ui/input.tsx'

/** Rendered with focus at once, while the search code is still loading. */
export const SearchField = (props: ComponentProps<'input'>) => (
  <Input
    ref={focus}
    name="search"
    aria-label="Search the thread"
    placeholder="Search the thread"
    autoComplete="off"
    {...props}
  />
)

const focus = (field: HTMLInputElement | null) => field?.focus()

export const searchLine = 'flex shrink-0 items-center gap-1 border-b px-4 py-2 short:py-0.5 sm:px-6'
