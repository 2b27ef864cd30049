'use client'

import { Lock, ShieldCheck, ShieldOff } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type Ref, useEffect, useRef, useState } from 'react'
import { CodeField } from '#components/command/code-field.tsx'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { type Command, useCommand } from '#components/command/use-command.ts'
import { useSecondsLeft } from '#components/command/use-seconds-left.ts'
import { Panel } from '#components/frame/panel.tsx'
import { TwoColumns } from '#components/frame/two-columns.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { LockAhead } from '#lib/commands/code.ts'
import { TwoFactorEnrol } from './two-factor-enrol.tsx'
import { lockWarning, type Tries, useTries } from './use-tries.ts'

export interface TwoFactorStatus {
  readonly enrolled: boolean
  /** ISO 8601. */
  readonly enrolledAt: string | null
  /** ISO 8601, by the service's clock. The service rejects every code until then. */
  readonly lockedUntil: string | null
  /** Seconds from now; null when codes are accepted. */
  readonly lockedSeconds: number | null
  /** The consequence of the next rejected code. */
  readonly lockAhead: LockAhead
  /** The digits of a code of the current key; null when not known. */
  readonly digits: number | null
}

export function TwoFactorActions(status: TwoFactorStatus) {
  const { enrolled, lockedSeconds, lockAhead, digits } = status
  const router = useRouter()
  const enrol = useCommand(null, () => {})
  const confirm = useCommand(null, () => {
    enrol.clear()
    remove.clear()
    router.refresh()
  })
  const remove = useCommand(null, () => {
    confirm.clear()
    router.refresh()
  })
  const [confirmTries, removeTries] = [useTries(confirm), useTries(remove)]
  // A rejected code may have caused a lockout, so the status is read again.
  useEffect(() => {
    if (confirmTries.latest !== null || removeTries.latest !== null) router.refresh()
  }, [confirmTries.latest, removeTries.latest, router])

  const keyShown = enrol.state.step === 'outcome' && enrol.state.once !== null
  const line = useFocusAfter(`${enrolled} ${keyShown}`)
  return (
    <TwoColumns>
      <Panel title="Two-factor security" aside={<TwoFactorBadge {...status} />}>
        <TwoFactorState {...status} ref={line} />
        {enrolled ? (
          <TwoFactorRemove
            command={remove}
            tries={removeTries}
            lockedSeconds={lockedSeconds}
            warning={lockWarning(removeTries, lockAhead)}
            digits={digits}
          />
        ) : (
          <TwoFactorEnrol
            enrol={enrol}
            confirm={confirm}
            tries={confirmTries}
            lockedSeconds={lockedSeconds}
            warning={lockWarning(confirmTries, lockAhead)}
          />
        )}
      </Panel>
      <div className="grid gap-4">
        {keyShown ? null : <CommandOutcome command={enrol} />}
        {confirmTries.rejected ? null : <CommandOutcome command={confirm} />}
        {removeTries.rejected ? null : <CommandOutcome command={remove} />}
      </div>
      <CommandDialogs command={enrol} />
      <CommandDialogs command={confirm} />
      <CommandDialogs command={remove} />
    </TwoColumns>
  )
}

/** Takes the focus if the focused element disappears on a change. */
function useFocusAfter(change: string) {
  const place = useRef<HTMLParagraphElement>(null)
  const seen = useRef(change)
  useEffect(() => {
    if (seen.current !== change && document.activeElement === document.body) place.current?.focus()
    seen.current = change
  }, [change])
  return place
}

function TwoFactorBadge({ enrolled, lockedSeconds }: TwoFactorStatus) {
  if (useSecondsLeft(lockedSeconds) > 0) {
    return (
      <Badge variant="attention">
        <Lock aria-hidden />
        Locked
      </Badge>
    )
  }
  return enrolled ? (
    <Badge variant="good">
      <ShieldCheck aria-hidden />
      On
    </Badge>
  ) : (
    <Badge variant="attention">
      <ShieldOff aria-hidden />
      Not set up
    </Badge>
  )
}

function TwoFactorState({
  enrolled,
  enrolledAt,
  lockedUntil,
  lockedSeconds,
  ref,
}: TwoFactorStatus & { ref: Ref<HTMLParagraphElement> }) {
  const locked = useSecondsLeft(lockedSeconds) > 0
  return (
    <p ref={ref} tabIndex={-1} className="px-3.5 py-3 outline-none">
      {enrolled ? 'On' : 'Not set up'}
      {enrolled && enrolledAt !== null ? (
        <>
          {' since '}
          <Timestamp value={enrolledAt} />
        </>
      ) : null}
      {locked && lockedUntil !== null ? (
        <>
          {'. Too many codes were rejected: no code is taken until '}
          <Timestamp value={lockedUntil} />
        </>
      ) : null}
      .
    </p>
  )
}

interface TwoFactorRemoveProps {
  command: Command
  tries: Tries
  lockedSeconds: number | null
  warning: string | null
  digits: number | null
}

/** The code itself proves the operator's intent, so there is no confirmation dialog. */
function TwoFactorRemove({ command, tries, lockedSeconds, warning, digits }: TwoFactorRemoveProps) {
  const [open, setOpen] = useState(false)
  const toggle = () => {
    command.clear()
    setOpen(!open)
  }
  return (
    <div className="border-t px-3.5 py-3">
      <p className="mb-3 max-w-prose text-secondary-foreground text-sm">
        To move it to another phone, remove it here with a code of the old one, then set it up with the new one.
      </p>
      {open ? (
        <div className="mb-2 max-w-72">
          <CodeField
            // A new key per rejection empties the field.
            key={tries.latest}
            fault={command.faults.totp ?? (tries.rejected ? REJECTED : null)}
            lockedSeconds={lockedSeconds}
            warning={warning}
            digits={digits}
            busy={command.state.step === 'checking'}
            button="Remove with this code"
            onCode={(code) => command.prepare('totp.remove', {}, code)}
          />
        </div>
      ) : null}
      <Button variant="outline" onClick={toggle} aria-expanded={open} disabled={command.state.step === 'checking'}>
        {open ? 'Cancel' : 'Remove two-factor security'}
      </Button>
    </div>
  )
}

const REJECTED =
  'The code was rejected and nothing was removed. Wait for the next code: each works once. If it goes on, check the clock of the device.'
