'use client'

import { type ReactNode, type Ref, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  CodeField,
  lockWarning,
  type RejectedCodes,
  useLockSeconds,
  useRejectedCodes,
} from '#components/command/code-field.tsx'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import type { Command } from '#components/command/command-state.ts'
import { useCommand } from '#components/command/use-command.ts'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { onSessionEnded, useAutomaticRefresh } from '#components/service/session-events.ts'
import { badgeOf } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { Lock, ShieldCheck, ShieldOff } from '#components/ui/icons.tsx'
import { Copyable } from '#components/values/copyable.tsx'
import { steadyNowMs, Timestamp, useSecond } from '#components/values/timestamp.tsx'
import type { LockAhead } from '#lib/commands/code.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { TotpStatus } from '#lib/contract/security.ts'
import { grouped, type TotpKey, totpKeyOf } from '#lib/two-factor/totp-key.ts'
import { visibleText } from '#lib/values/text.ts'

export interface TwoFactorStatus extends Readonly<TotpStatus> {
  /** Seconds from now; null when codes are accepted. */
  readonly lockedSeconds: number | null
  readonly lockAhead: LockAhead
  /** The digits of a code of the current key; null when not known. */
  readonly digits: number | null
}

interface TwoFactorActionsProps {
  status: TwoFactorStatus | null
  problem: Problem | null
}

export function TwoFactorActions({ status: read, problem }: TwoFactorActionsProps) {
  // A failed read removes neither the key nor an outcome.
  const [kept, setKept] = useState(read)
  if (read !== null && read !== kept) setKept(read)
  const refresh = useAutomaticRefresh()
  const enrol = useCommand(null, () => {})
  const confirm = useCommand(null, () => {
    enrol.clear()
    remove.clear()
    refresh()
  })
  const remove = useCommand(null, () => {
    confirm.clear()
    refresh()
  })
  const isChanged = [confirm, remove].some(
    ({ state }) => state.step === 'outcome' && state.command.outcome.class === 'done',
  )
  const status = read ?? (isChanged ? null : kept)
  const [confirmTries, removeTries] = [useRejectedCodes(confirm), useRejectedCodes(remove)]
  // A rejected code may have caused a lockout, so the status is read again.
  useEffect(() => {
    if (confirmTries.latest !== null || removeTries.latest !== null) refresh()
  }, [confirmTries.latest, removeTries.latest, refresh])

  const keyShown = enrol.state.step === 'outcome' && enrol.state.once !== null
  const line = useFocusAfter<HTMLParagraphElement>(`${status?.enrolled} ${keyShown}`)
  return (
    <TwoColumns>
      <Panel title="Two-factor security" aside={status === null ? null : <TwoFactorBadge status={status} />}>
        {problem === null ? null : <ProblemPanel problem={problem} className="border-b" />}
        {status === null ? null : <TwoFactorState status={status} ref={line} />}
        {status?.enrolled === true ? <TwoFactorRemove command={remove} tries={removeTries} status={status} /> : null}
        {status?.enrolled === false ? (
          <TwoFactorEnrol enrol={enrol} confirm={confirm} tries={confirmTries} status={status} />
        ) : null}
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

/** Takes the focus, or gives it to the first `control` within, if the focused element disappears on a change. */
export function useFocusAfter<Place extends HTMLElement>(change: unknown, control?: string) {
  const place = useRef<Place>(null)
  const seen = useRef(change)
  useEffect(() => {
    const target = control === undefined ? place.current : place.current?.querySelector<HTMLElement>(control)
    if (seen.current !== change && document.activeElement === document.body) target?.focus()
    seen.current = change
  }, [change, control])
  return place
}

function TwoFactorBadge({ status }: { status: TwoFactorStatus }) {
  if (useLockSeconds(status) > 0) return badgeOf(Lock, 'attention', 'Locked')
  return status.enrolled ? badgeOf(ShieldCheck, 'good', 'On') : badgeOf(ShieldOff, 'attention', 'Not set up')
}

function TwoFactorState({ ref, status }: { ref: Ref<HTMLParagraphElement>; status: TwoFactorStatus }) {
  const { enrolled, enrolledAt, lockedUntil } = status
  const locked = useLockSeconds(status) > 0
  return (
    <p ref={ref} tabIndex={-1} className="px-3.5 py-3 outline-none">
      {enrolled ? 'On' : 'No authenticator app is set up'}
      {enrolled && enrolledAt !== null ? (
        <>
          {' since '}
          <Timestamp value={enrolledAt} />
        </>
      ) : null}
      {locked && lockedUntil !== null ? (
        <>
          {'. Too many codes were rejected. Codes are blocked until '}
          <Timestamp value={lockedUntil} />
        </>
      ) : null}
      .
    </p>
  )
}

const isBusy = ({ state: { step } }: Command): boolean => step === 'checking' || step === 'unanswered'

interface TwoFactorRemoveProps {
  command: Command
  tries: RejectedCodes
  status: TwoFactorStatus
}

/** The code itself proves the operator's intent, so there is no confirmation dialog. */
function TwoFactorRemove({ command, tries, status }: TwoFactorRemoveProps) {
  const [open, setOpen] = useState(false)
  const busy = isBusy(command)
  const toggle = () => {
    if (busy) return
    command.clear()
    setOpen(!open)
  }
  return (
    <div className="border-t px-3.5 py-3">
      <p className="mb-3 max-w-prose text-secondary-foreground text-sm">
        To change phones, remove it with a code from the old phone, then set it up again. If you lost the phone, contact
        the operator of the wallet service: the service removes it only with a current code.
      </p>
      {open ? (
        <div className="mb-2 max-w-72">
          <CodeField
            // A new key per rejection empties the field.
            key={tries.latest}
            fault={command.faults.totp ?? (tries.rejected ? REJECTED : null)}
            lock={status}
            warning={lockWarning(tries, status.lockAhead)}
            digits={status.digits}
            busy={busy}
            button="Remove with this code"
            onCode={(code) => command.prepare('totp.remove', {}, code)}
          />
        </div>
      ) : null}
      <Button variant="outline" onClick={toggle} aria-expanded={open} aria-disabled={busy}>
        {open ? 'Cancel' : 'Remove two-factor security'}
      </Button>
    </div>
  )
}

const REJECTED =
  'The code was rejected; nothing was removed. Wait for the next code. If it persists, check your device’s clock.'

interface TwoFactorEnrolProps {
  enrol: Command
  confirm: Command
  tries: RejectedCodes
  status: TwoFactorStatus
}

/** Nothing changes at the service until a code confirms the key. */
function TwoFactorEnrol({ enrol, confirm, tries, status }: TwoFactorEnrolProps) {
  const [forgotten, setForgotten] = useState(false)
  const { state } = enrol
  const key = state.step === 'outcome' && state.once?.what === 'totp-key' ? state.once : null
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
        if (!isBusy(confirm)) confirm.clear()
        enrol.clear()
      }}
    >
      <CodeField
        key={tries.latest}
        takesFocus={tries.latest !== null}
        fault={confirm.faults.totp ?? (tries.rejected ? CODE_REJECTED : null)}
        lock={status}
        warning={lockWarning(tries, status.lockAhead)}
        digits={totpKeyOf(key.url)?.digits ?? null}
        busy={isBusy(confirm)}
        onCode={(code) => confirm.prepare('totp.confirm', {}, code)}
      />
    </TwoFactorKey>
  )
}

const CODE_REJECTED =
  'The code was rejected; the key is still valid. Wait for the next code. If it persists, check your device’s clock.'

/** `forgotten`: the previous key was dropped after ten minutes. */
function Start({ enrol, forgotten, onStart }: { enrol: Command; forgotten: boolean; onStart: () => void }) {
  const { state, faults } = enrol
  const lost = state.step === 'outcome' && state.command.outcome.class === 'done'
  return (
    <div className="grid gap-3 border-t px-3.5 py-3">
      <p className="max-w-prose text-secondary-foreground text-sm">
        You need an authenticator app on your phone. Scan the key once, then enter a code.
      </p>
      {forgotten ? (
        <p role="status" className="text-attention text-sm">
          The key expired after ten minutes. Nothing has changed. Start again.
        </p>
      ) : null}
      {lost ? (
        <p role="status" className="text-attention text-sm">
          The key did not arrive here. Nothing has changed. Start again.
        </p>
      ) : null}
      <FormError fault={faults.totp} />
      <div>
        <Button onClick={onStart} aria-disabled={isBusy(enrol)}>
          {state.step === 'checking' ? 'Creating a key' : 'Set up two-factor security'}
        </Button>
      </div>
    </div>
  )
}

const SHOWN_SECONDS = 600

interface TwoFactorKeyProps {
  url: string
  /** The same URI as a barcode: PNG, base64. */
  barcode: string
  /** `late`: the ten minutes are over. */
  onForget: (late: boolean) => void
  children: ReactNode
}

/** The key is shown once and held only in this component's memory. */
function TwoFactorKey({ url, barcode, onForget, children }: TwoFactorKeyProps) {
  const shown = useRef<HTMLDivElement>(null)
  const secondsLeft = useForgetting(shown, onForget)
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  const key = totpKeyOf(url)
  return (
    <div className="border-t px-3.5 py-3">
      <h3 ref={head} tabIndex={-1} className="font-semibold outline-none">
        Set up two-factor security
      </h3>
      <ol className="mt-3 grid gap-4">
        <Step number={1}>Open your authenticator app and add an account.</Step>
        <Step number={2}>
          Scan this code{key === null ? '.' : ', or type the secret.'}
          <div ref={shown} className="mt-2 flex flex-wrap items-start gap-4">
            {/* biome-ignore lint/performance/noImgElement: a picture that exists in this answer only, at no address. */}
            <img
              src={`data:image/png;base64,${barcode}`}
              alt="QR code of the key"
              className="size-44 rounded-md border bg-white"
            />
            {key === null ? null : <KeyToType {...key} />}
          </div>
        </Step>
        <Step number={3}>
          Enter the code that it shows.
          <div className="mt-2 max-w-72">{children}</div>
        </Step>
      </ol>
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <Button variant="outline" onClick={() => onForget(false)}>
          Cancel
        </Button>
        <p className="figures text-muted-foreground text-xs">Shown once. Hidden in {clock(secondsLeft)}.</p>
      </div>
    </div>
  )
}

const KeyToType = ({ secret, label }: TotpKey) => (
  <dl className="grid min-w-0 flex-1 basis-64 gap-2">
    <div>
      <dt className="text-muted-foreground text-xs">Secret</dt>
      <dd>
        <Copyable
          value={secret}
          hint="Copies it without the spaces"
          action="copy the secret"
          className="mono text-left"
        >
          {grouped(secret)}
        </Copyable>
      </dd>
    </div>
    {label === '' ? null : (
      <div>
        <dt className="text-muted-foreground text-xs">Account</dt>
        <dd className="break-words">{visibleText(label)}</dd>
      </div>
    )}
  </dl>
)

const Step = ({ number, children }: { number: number; children: ReactNode }) => (
  <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-2.5 text-sm">
    <span
      aria-hidden
      className="grid size-6 place-items-center rounded-full bg-accent font-semibold text-primary text-xs"
    >
      {number}
    </span>
    <div>{children}</div>
  </li>
)

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Drops the key after ten minutes, and with page or session. Returns the seconds left. */
function useForgetting(key: RefObject<HTMLElement | null>, onForget: (late: boolean) => void): number {
  const second = useSecond() ?? 0
  const [endsAt] = useState(() => Math.floor(steadyNowMs() / 1000) + SHOWN_SECONDS)
  const forget = useEffectEvent(onForget)
  const over = second >= endsAt
  useEffect(() => {
    if (over) forget(true)
  }, [over])
  useEffect(() => {
    // The browser may save the page in its back/forward cache before the next render.
    const left = () => {
      key.current?.replaceChildren()
      forget(false)
    }
    window.addEventListener('pagehide', left)
    const stopHearing = onSessionEnded(left)
    return () => {
      window.removeEventListener('pagehide', left)
      stopHearing()
    }
  }, [key])
  return Math.min(SHOWN_SECONDS, Math.max(0, endsAt - second))
}
