'use client'

import Link from 'next/link'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { HydratedButton } from '#components/ui/hydrated-button.tsx'
import { Search } from '#components/ui/icons.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import type { KeysDialogProps } from './keys-dialog.tsx'
import type { OmniboxDialogProps } from './omnibox-dialog.tsx'
import { useFrameKeys } from './use-frame-keys.ts'

interface Dialogs {
  readonly Omnibox: ComponentType<OmniboxDialogProps>
  readonly Keys: ComponentType<KeysDialogProps>
}

const loadDialogs = async (): Promise<Dialogs> => {
  const [{ OmniboxDialog: Omnibox }, { KeysDialog: Keys }] = await Promise.all([
    import('./omnibox-dialog.tsx'),
    import('./keys-dialog.tsx'),
  ])
  return { Omnibox, Keys }
}

interface OmniboxProps {
  /** Null when unknown: nothing is dimmed. */
  scopes: Promise<readonly string[] | null>
}

export function Omnibox({ scopes }: OmniboxProps) {
  const [dialogs, setDialogs] = useState<Dialogs | null>(null)
  const [opened, setOpened] = useState<'omnibox' | 'keys' | null>(null)
  const [failed, setFailed] = useState(false)
  // A new object, so that the same address can be opened twice.
  const [going, setGoing] = useState<{ readonly href: string } | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  // A real click, because the leave guard listens for clicks on links.
  useEffect(() => {
    if (going !== null) link.current?.click()
  }, [going])
  const open = (what: 'omnibox' | 'keys') => {
    setOpened(what)
    setFailed(false)
    if (dialogs !== null) return
    loadDialogs().then(setDialogs, () => {
      setOpened(null)
      setFailed(true)
    })
  }
  const close = () => setOpened(null)
  const go = (href: string) => {
    close()
    setGoing({ href })
  }
  useFrameKeys(frame, { open: () => open('omnibox'), list: () => open('keys'), go })
  return (
    <div ref={frame} className="flex min-w-0 flex-1 items-center gap-2">
      <HydratedButton
        onClick={() => open('omnibox')}
        aria-keyshortcuts="Control+K Meta+K /"
        aria-haspopup="dialog"
        className="flex min-h-8 min-w-8 items-center gap-2 rounded-md px-2 text-left text-muted-foreground text-sm hover:text-foreground sm:w-full sm:max-w-[520px] sm:border sm:border-input sm:bg-card"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate max-sm:sr-only">Go to, or paste any reference or id</span>
        <Kbd aria-hidden className="hidden opacity-100 sm:pointer-fine:block">
          Ctrl K
        </Kbd>
      </HydratedButton>
      <Link ref={link} href={going?.href ?? '/'} prefetch={false} hidden tabIndex={-1} aria-hidden />
      {failed ? (
        <p role="alert" className="text-danger text-xs">
          It could not be loaded. Reload the page.
        </p>
      ) : null}
      {dialogs !== null && opened === 'omnibox' ? (
        <dialogs.Omnibox scopes={scopes} onGo={go} onKeys={() => setOpened('keys')} onClose={close} />
      ) : null}
      {dialogs !== null && opened === 'keys' ? <dialogs.Keys onClose={close} /> : null}
    </div>
  )
}
