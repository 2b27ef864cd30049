'use client'

import { useState } from 'react'
import { CodeField } from '#components/command/code-field.tsx'
import type { Command } from '#components/command/use-command.ts'
import { Button } from '#components/ui/button.tsx'
import { totpKeyOf } from '#lib/domain/totp-key.ts'
import { TwoFactorKey } from './two-factor-key.tsx'
import type { Tries } from './use-tries.ts'

interface TwoFactorEnrolProps {
  enrol: Command
  confirm: Command
  tries: Tries
  lockedSeconds: number | null
}

/** Enrolment in three steps. Until a code confirms the key, nothing has changed. */
export function TwoFactorEnrol({ enrol, confirm, tries, lockedSeconds }: TwoFactorEnrolProps) {
  const [forgotten, setForgotten] = useState(false)
  const { state } = enrol
  const key = state.step === 'told' && state.once?.what === 'totp-key' ? state.once : null
  if (key === null) {
    const start = () => {
      setForgotten(false)
      confirm.clear()
      enrol.prepare('totp.enrol', {})
    }
    return <Start enrol={enrol} forgotten={forgotten} onStart={start} />
  }
  return (
    <TwoFactorKey
      url={key.url}
      barcode={key.barcode}
      onForget={(late) => {
        setForgotten(late)
        confirm.clear()
        enrol.clear()
      }}
    >
      <CodeField
        // Each rejection starts the field over.
        key={tries.latest}
        takesFocus={tries.latest !== null}
        fault={confirm.faults.totp ?? (tries.rejected ? REJECTED : null)}
        lockedSeconds={lockedSeconds}
        digits={totpKeyOf(key.url)?.digits ?? null}
        busy={confirm.state.step === 'checking'}
        onCode={(code) => confirm.prepare('totp.confirm', {}, code)}
      />
    </TwoFactorKey>
  )
}

const REJECTED =
  'The code was rejected and the key is still good. Wait for the next code: each works once. If it goes on, check the clock of the device.'

interface StartProps {
  enrol: Command
  /** The last key stood here for ten minutes. */
  forgotten: boolean
  onStart: () => void
}

function Start({ enrol, forgotten, onStart }: StartProps) {
  const { state, faults } = enrol
  const lost = state.step === 'told' && state.command.outcome.class === 'done'
  return (
    <div className="grid gap-3 border-line border-t px-3.5 py-3">
      <p className="max-w-prose text-ink-2 text-sm">
        You need an authenticator: an app on your phone that shows a new code every half minute. You scan a key once,
        and type a code to prove that it arrived.
      </p>
      {forgotten ? (
        <p role="status" className="text-attention text-sm">
          The key was forgotten after ten minutes. Nothing has changed; start again for a new one.
        </p>
      ) : null}
      {lost ? (
        <p role="status" className="text-attention text-sm">
          A key was made and did not arrive here. Nothing has changed; start again for a new one.
        </p>
      ) : null}
      {faults.totp === undefined ? null : (
        <p role="alert" className="text-danger text-sm">
          {faults.totp}
        </p>
      )}
      <div>
        <Button look="go" onClick={onStart} disabled={state.step === 'checking'}>
          {state.step === 'checking' ? 'Making a key' : 'Set up two-factor security'}
        </Button>
      </div>
    </div>
  )
}
