'use client'

import { KeyRound, Loader } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { CONSOLE_UNREACHABLE } from '#lib/service/console-unreachable.ts'
import { csrfToken, landing } from './handshake.ts'

interface SsoButtonProps {
  name: string
  to: string
  /** Lets nobody be signed in again without a word. */
  asSomebodyElse: boolean
}

/** Leaves for the identity provider, by a form of the page's own. */
export function SsoButton({ name, to, asSomebodyElse }: SsoButtonProps) {
  const form = useRef<HTMLFormElement>(null)
  const token = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'ready' | 'leaving' | 'failed'>('ready')

  const leave = async () => {
    setState('leaving')
    try {
      if (token.current === null) return
      token.current.value = await csrfToken()
      form.current?.submit()
    } catch {
      setState('failed')
    }
  }
  return (
    <form
      ref={form}
      method="post"
      action={asSomebodyElse ? '/api/auth/signin/sso?prompt=login' : '/api/auth/signin/sso'}
      className="grid gap-2"
    >
      <input ref={token} type="hidden" name="csrfToken" />
      <input type="hidden" name="callbackUrl" value={landing(to)} />
      <Button size="lg" disabled={state === 'leaving'} onClick={() => void leave()}>
        {state === 'leaving' ? <Loader aria-hidden className="animate-spin" /> : <KeyRound aria-hidden />}
        {asSomebodyElse ? 'Sign in as somebody else' : `Continue with ${name}`}
      </Button>
      {state === 'failed' ? (
        <p role="alert" className="text-danger text-sm">
          {CONSOLE_UNREACHABLE}
        </p>
      ) : null}
    </form>
  )
}
