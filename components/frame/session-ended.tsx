import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Button, buttonVariants } from '#components/ui/button.tsx'
import { CONSOLE_UNREACHABLE } from '#lib/service/console-unreachable.ts'
import type { EndedSession } from '#lib/session/session-state.ts'
import { isUnloadGuarded } from './leave-guard.ts'
import { onKeeping } from './text-keeper.ts'

export const sessionFrame =
  'pointer-events-auto z-60 rounded-lg border border-attention/45 bg-card p-4 shadow-[var(--lift)]'

interface SessionEndedProps {
  /** Undefined until the console has answered. */
  why: EndedSession['why']
  /** Resolves to whether the console answered. */
  onLook: () => Promise<boolean>
}

/** Links to sign-in and back. While text is unsaved, offers only a new tab, which keeps this page. */
export function SessionEnded({ why, onLook }: SessionEndedProps) {
  const look = useEffectEvent(onLook)
  useEffect(() => void look(), [])
  const unsaved = useSyncExternalStore(onKeeping, isUnloadGuarded, () => false)
  const here = window.location.pathname + window.location.search
  return (
    <Focused>
      <p className="font-semibold text-lg">Your session is over</p>
      {why === 'ended-by-admin' ? <p className="mt-0.5 text-sm">An administrator ended it.</p> : null}
      <p className="mt-0.5 text-secondary-foreground text-sm">
        {unsaved
          ? 'Your latest text is not saved yet. Sign in in a new tab to keep it.'
          : 'Sign in again to return to this page.'}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-3">
        {unsaved ? null : (
          <a href={`/sign-in?${new URLSearchParams({ why: why ?? 'ended', to: here })}`} className={buttonVariants()}>
            Sign in again
          </a>
        )}
        <a
          href="/sign-in"
          target="_blank"
          rel="noreferrer"
          className={unsaved ? buttonVariants() : 'text-primary text-sm underline underline-offset-4'}
        >
          Sign in in a new tab
        </a>
      </p>
      <p className="mt-2 text-muted-foreground text-xs">
        After you sign in in a new tab, this page continues as you left it.
      </p>
      <LookAgain onLook={onLook} />
    </Focused>
  )
}

const lookWords = {
  none: '',
  asking: '',
  over: 'No one is signed in in this browser.',
  unanswered: CONSOLE_UNREACHABLE,
} as const

function LookAgain({ onLook }: Pick<SessionEndedProps, 'onLook'>) {
  const [result, setResult] = useState<keyof typeof lookWords>('none')
  const look = async () => {
    if (result === 'asking') return
    setResult('asking')
    setResult((await onLook()) ? 'over' : 'unanswered')
  }
  return (
    <p className="mt-3 flex flex-wrap items-center gap-3">
      <Button variant="outline" aria-disabled={result === 'asking'} onClick={() => void look()}>
        {result === 'asking' ? 'Asking' : 'Try again'}
      </Button>
      <span role="status" className="text-secondary-foreground text-sm">
        {lookWords[result]}
      </span>
    </p>
  )
}

function Focused({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    // Makes open dialogs inert, too.
    box.current?.showModal()
    box.current?.focus()
    return () => {
      // The page is inert until this commit ends.
      if (before instanceof HTMLElement) queueMicrotask(() => before.focus())
    }
  }, [])
  return (
    <dialog
      ref={box}
      aria-label="Session"
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onClose={() => box.current?.showModal()}
      className={`${sessionFrame} fixed top-[14vh] mx-auto w-[calc(100%-2rem)] max-w-md text-foreground outline-none backdrop:bg-transparent backdrop:backdrop-blur-sm`}
    >
      <div role="alert">{children}</div>
    </dialog>
  )
}
