'use client'

import Link from 'next/link'
import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react'
import { frameKeys, GO_KEY, goPlaces } from '#components/frame/areas.ts'
import { HydratedButton } from '#components/ui/hydrated.tsx'
import { Search } from '#components/ui/icons.tsx'
import { isPageKey, Kbd, useKeyDown } from '#components/ui/kbd.tsx'
import type { KeysDialogProps } from './keys-dialog.tsx'
import type { OmniboxDialogProps } from './omnibox-dialog.tsx'
import { type Act, requestAct } from './requested-act.ts'

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

const LOADED_AFTER_MS = 2_500

/** `scopes`: null when unknown; then nothing is dimmed. */
export function Omnibox({ scopes }: { scopes: Promise<readonly string[] | null> }) {
  const [dialogs, setDialogs] = useState<Dialogs | null>(null)
  const [opened, setOpened] = useState<'omnibox' | 'keys' | null>(null)
  const [failed, setFailed] = useState(false)
  // A new object, so that the same address can be opened twice.
  const [going, setGoing] = useState<{ readonly href: string; readonly act?: Act | undefined } | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  // A real click: the leave guard stops it, and with it the act, where the operator stays.
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
  useEffect(() => {
    // If this fails, the first use loads them. Chromium may never run an idle callback, so it is a timer.
    const timer = setTimeout(() => void loadDialogs().then(setDialogs, () => {}), LOADED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const close = () => setOpened(null)
  const go = (href: string, act?: Act) => {
    close()
    setGoing({ href, act })
  }
  const onLeave = () => {
    if (going?.act !== undefined) requestAct(going.act)
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
      <Link ref={link} href={going?.href ?? '/'} onClick={onLeave} prefetch={false} hidden tabIndex={-1} aria-hidden />
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

const GO_WITHIN_MS = 1_500

interface FrameKeys {
  readonly open: () => void
  readonly list: () => void
  readonly go: (href: string) => void
}

/** A handled key reaches no other listener: the letter after `g` may mean something on the page. */
function useFrameKeys(frame: RefObject<HTMLElement | null>, on: FrameKeys): void {
  const goUntil = useRef(0)
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat || frame.current === null || frame.current.closest('[inert]') !== null) return
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
    const act = actOf(event)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const actOf = (event: KeyboardEvent): (() => void) | null => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey) return on.open
    if (!isPageKey(event)) return null
    const going = Date.now() < goUntil.current
    goUntil.current = 0
    const place = going ? goPlaces.find((known) => known.key === key) : undefined
    if (place !== undefined) return () => on.go(place.href)
    if (key === GO_KEY) {
      return () => {
        goUntil.current = Date.now() + GO_WITHIN_MS
      }
    }
    if (key === frameKeys.open.keys[0]) return on.open
    return key === frameKeys.list.keys[0] ? on.list : null
  }
  // Runs before all other listeners.
  useKeyDown('window', onKey, true)
}
