'use client'

import type { ComponentProps } from 'react'
import { useHydrated } from './use-hydrated.ts'

/** A button that is disabled until the page's scripts run: an earlier click would be lost without a word. */
export function HydratedButton({ disabled, ...rest }: ComponentProps<'button'>) {
  const hydrated = useHydrated()
  return <button type="button" disabled={!hydrated || disabled} {...rest} />
}
