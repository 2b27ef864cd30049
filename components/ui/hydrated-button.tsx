'use client'

import type { ComponentProps } from 'react'
import { useHydrated } from './use-hydrated.ts'

/** Disabled until hydration: an earlier click would be lost silently. */
export function HydratedButton({ disabled, ...rest }: ComponentProps<'button'>) {
  const hydrated = useHydrated()
  return <button type="button" disabled={!hydrated || disabled} {...rest} />
}
