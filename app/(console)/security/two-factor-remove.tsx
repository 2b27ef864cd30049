'use client'

import { useState } from 'react'
import { CodeField } from '#components/command/code-field.tsx'
import type { Command } from '#components/command/use-command.ts'
import { Button } from '#components/ui/button.tsx'
import type { Tries } from './use-tries.ts'

interface TwoFactorRemoveProps {
  command: Command
  tries: Tries
  lockedSeconds: number | null
  digits: number | null
}

/** Removal: the code is the proof, so there is no other question. */
export function TwoFactorRemove({ command, tries, lockedSeconds, digits }: TwoFactorRemoveProps) {
  const [open, setOpen] = useState(false)
  const toggle = () => {
    command.clear()
    setOpen(!open)
  }
  return (
    <div className="border-line border-t px-3.5 py-3">
      <p className="mb-3 max-w-prose text-ink-2 text-sm">
        To move it to another phone, remove it here with a code of the old one, then set it up with the new one.
      </p>
      {open ? (
        <div className="mb-2 max-w-72">
          <CodeField
            // Each rejection starts the field over.
            key={tries.latest}
            fault={command.faults.totp ?? (tries.rejected ? REJECTED : null)}
            lockedSeconds={lockedSeconds}
            digits={digits}
            busy={command.state.step === 'checking'}
            button="Remove with this code"
            onCode={(code) => command.prepare('totp.remove', {}, code)}
          />
        </div>
      ) : null}
      <Button onClick={toggle} aria-expanded={open} disabled={command.state.step === 'checking'}>
        {open ? 'Cancel' : 'Remove two-factor security'}
      </Button>
    </div>
  )
}

const REJECTED =
  'The code was rejected and nothing was removed. Wait for the next code: each works once. If it goes on, check the clock of the device.'
