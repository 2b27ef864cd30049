'use client'

import type { MouseEvent } from 'react'
import { ButtonLink } from './panel.tsx'

/** Also empties what was typed and not shown yet. The focus stays in the form. */
export function ClearLink({ href }: { href: string }) {
  const clear = ({ currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLAnchorElement>) => {
    if (ctrlKey || metaKey || shiftKey) return
    const form = currentTarget.closest('form')
    for (const field of form?.querySelectorAll<HTMLInputElement>('input:not([type="hidden"])') ?? []) {
      field.value = ''
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    form?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }
  return (
    <ButtonLink href={href} scroll={false} onClick={clear} variant="ghost" size="field">
      Clear
    </ButtonLink>
  )
}
