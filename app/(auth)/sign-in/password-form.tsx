'use client'

import { type FormEvent, useState } from 'react'
import { fieldText } from '#components/form/field-text.ts'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { CONSOLE_UNREACHABLE } from '#lib/service/console-unreachable.ts'
import { csrfToken, landing } from './handshake.ts'
import { whyWords } from './why-words.ts'

/** Signs in with the service's own password. A refusal keeps the e-mail address and clears the password. */
export function PasswordForm({ to }: { to: string }) {
  // Before hydration the browser itself would send the form, with the password in the address.
  const hydrated = useHydrated()
  const [attempt, setAttempt] = useState(0)
  const [fault, setFault] = useState<string | null>(null)
  const [signingIn, setSigningIn] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (signingIn) return
    const [email, password] = [fieldText(event.currentTarget, 'email'), fieldText(event.currentTarget, 'password')]
    setSigningIn(true)
    setFault(null)
    const url = await signIn(email, password, to)
    // Who was let in nowhere gets the page that says so; all else is said beside the password.
    if (url?.searchParams.get('why') === 'not-staff') return window.location.assign(url)
    if (url === null || url.pathname === '/sign-in') {
      setAttempt((count) => count + 1)
      setFault(url === null ? CONSOLE_UNREACHABLE : wordsOf(url.searchParams))
      setSigningIn(false)
      return
    }
    window.location.assign(url)
  }
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="grid gap-1 border-t pt-5">
      <h2 className="mb-2 font-[550] text-secondary-foreground">Or with a password</h2>
      <TextField label="E-mail" type="email" name="email" autoComplete="username" required />
      <TextField
        key={attempt}
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        fault={fault}
        takesFocus={attempt > 0}
      />
      <Button variant="outline" type="submit" disabled={!hydrated || signingIn} className="mt-2">
        {signingIn ? 'Signing in' : 'Sign in with a password'}
      </Button>
    </form>
  )
}

const wordsOf = (query: URLSearchParams): string | null =>
  whyWords(query.get('why') ?? undefined, query.get('error') ?? '', query.get('seconds') ?? undefined)

/** Where next-auth says to go: back to the sign-in page with a reason, or on. Null when there was no answer. */
async function signIn(email: string, password: string, to: string): Promise<URL | null> {
  try {
    const body = new URLSearchParams({
      csrfToken: await csrfToken(),
      callbackUrl: landing(to),
      json: 'true',
      email,
      password,
    })
    const response = await fetch('/api/auth/callback/password', { method: 'POST', body })
    const { url } = (await response.json()) as { url: string }
    return new URL(url, window.location.origin)
  } catch {
    return null
  }
}
