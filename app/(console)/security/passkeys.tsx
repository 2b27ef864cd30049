'use client'

import { useRef, useState } from 'react'
import { CodeField } from '#components/command/code-field.tsx'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { makePasskey, refusedWords } from '#components/command/passkey.ts'
import { useCommand } from '#components/command/use-command.ts'
import { announceVerified } from '#components/command/verified.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Panel, TwoColumns } from '#components/frame/panel.tsx'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { FormErrors } from '#components/ui/field.tsx'
import { KeyRound } from '#components/ui/icons.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { lockAheadWords } from '#lib/commands/code.ts'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import { PASSKEYS_MAX, type PasskeyView, passkeyNameFault } from '#lib/two-factor/passkey.ts'
import { visibleText } from '#lib/values/text.ts'
import { useFocusAfter } from './two-factor-actions.tsx'

export function Passkeys({ passkeys }: { passkeys: readonly PasskeyView[] }) {
  const refresh = useAutomaticRefresh()
  const remove = useCommand(null, refresh)
  const [said, setSaid] = useState('')
  const saying = useRef<HTMLParagraphElement>(null)
  const busy = remove.state.step === 'checking'
  return (
    <TwoColumns>
      <Panel title="Passkeys">
        <p className="max-w-prose px-3.5 py-3 text-secondary-foreground text-sm">
          A passkey confirms changes where the policy requires it. It does not replace authenticator codes. At most{' '}
          {PASSKEYS_MAX}. If you lost one, ask to remove it: two administrators must approve.
        </p>
        <ul>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-2">
              <KeyRound aria-hidden className="size-4 shrink-0 text-muted-foreground" strokeWidth={1.75} />
              <PasskeyFacts {...passkey} />
              {passkeys.length > 1 ? (
                <Button
                  variant="outline"
                  aria-disabled={busy}
                  aria-label={`Remove the passkey ${passkey.name} with another one`}
                  onClick={() => remove.prepare('passkey.remove', { id: passkey.id, way: 'passkey' })}
                >
                  Remove
                </Button>
              ) : null}
              <Button
                variant="ghost"
                aria-disabled={busy}
                aria-label={`Ask to have the passkey ${passkey.name} removed`}
                onClick={() => remove.prepare('passkey.remove', { id: passkey.id, way: 'administrator' })}
              >
                Ask to remove
              </Button>
            </li>
          ))}
        </ul>
        <FormErrors faults={remove.faults} className="border-t px-3.5 py-3" />
        <AddPasskey
          full={passkeys.length >= PASSKEYS_MAX}
          onAdded={(name) => {
            setSaid(`The passkey “${name}” was added.`)
            saying.current?.focus()
            refresh()
          }}
        />
        <p
          ref={saying}
          role="status"
          tabIndex={-1}
          className="px-3.5 text-secondary-foreground text-sm outline-none [&:not(:empty)]:pb-3"
        >
          {said}
        </p>
      </Panel>
      <CommandOutcome command={remove} />
      <CommandDialogs command={remove} danger />
    </TwoColumns>
  )
}

const PasskeyFacts = ({ name, synced, createdAt, lastUsedAt }: PasskeyView) => (
  <div className="min-w-0 flex-1 basis-52">
    <p className="break-words font-[550]">{visibleText(name)}</p>
    <p className="flex flex-wrap items-baseline gap-x-3 text-muted-foreground text-xs">
      <span>{synced ? 'Synced across devices' : 'On one device'}</span>
      <span className="flex items-baseline gap-1">
        Added <Timestamp value={createdAt} as="past" />
      </span>
      {lastUsedAt === null ? (
        <span>Not used yet</span>
      ) : (
        <span className="flex items-baseline gap-1">
          Last used <Timestamp value={lastUsedAt} as="past" />
        </span>
      )}
    </p>
  </div>
)

function AddPasskey({ full, onAdded }: { full: boolean; onAdded: (name: string) => void }) {
  const [open, setOpen] = useState(false)
  const box = useFocusAfter<HTMLDivElement>(open, 'input, button')
  if (full) return null
  if (open) {
    return (
      <div ref={box}>
        <AddForm
          onCancel={() => setOpen(false)}
          onAdded={(name) => {
            setOpen(false)
            onAdded(name)
          }}
        />
      </div>
    )
  }
  return (
    <div ref={box} className="border-t px-3.5 py-3">
      <Button variant="outline" onClick={() => setOpen(true)}>
        Add a passkey
      </Button>
    </div>
  )
}

type AddOutcome = { readonly wanted: StepUpOutcome } | { readonly failure: string } | null

function AddForm({ onCancel, onAdded }: { onCancel: () => void; onAdded: (name: string) => void }) {
  const [name, setName] = useState('')
  const nameBox = useRef<HTMLInputElement>(null)
  const [nameFault, setNameFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [tries, setTries] = useState(0)
  const [outcome, setOutcome] = useState<AddOutcome>(null)
  const wanted = outcome !== null && 'wanted' in outcome ? outcome.wanted : null
  const add = async (code: string) => {
    const fault = passkeyNameFault(name)
    setNameFault(fault)
    setTries((count) => count + 1)
    if (fault !== null) return nameBox.current?.focus()
    setBusy(true)
    const outcome = await addedBy(name.trim(), code)
    setBusy(false)
    setOutcome(outcome)
    if (outcome === null) onAdded(name.trim())
  }
  return (
    <div className="border-t px-3.5 pt-3">
      <div className="max-w-72">
        <TextField
          label="Name of the passkey"
          name="passkey-name"
          box={nameBox}
          className="mb-2"
          fault={nameFault}
          onText={setName}
          help="For example “Work laptop”."
        />
        <CodeField
          // A code works once, so each attempt starts with an empty field.
          key={tries}
          takesFocus={tries > 0 && nameFault === null}
          fault={wanted?.rejected ? REJECTED : null}
          lock={wanted}
          warning={wanted?.lockAhead === undefined ? null : lockAheadWords(wanted.lockAhead)}
          digits={null}
          busy={busy}
          button="Add the passkey"
          onCode={(code) => void add(code)}
        />
      </div>
      {outcome === null ? null : (
        <p key={tries} role="alert" className={wanted?.need === 'code' ? 'sr-only' : 'mt-3 text-attention text-sm'}>
          {'failure' in outcome ? outcome.failure : alertWords(outcome.wanted)}
        </p>
      )}
      <div className="py-3">
        <Button variant="ghost" onClick={() => busy || onCancel()} aria-disabled={busy}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

const REJECTED = 'The code was rejected. Wait for the next code: each works once.'

function alertWords({ rejected, lockedSeconds, title, advice }: StepUpOutcome): string {
  if (lockedSeconds !== null) return 'Too many codes were rejected.'
  return rejected ? REJECTED : `${title}. ${advice}`
}

/** Null when the passkey was added. */
async function addedBy(name: string, code: string): Promise<AddOutcome> {
  const begun = await askConsole('/api/passkeys/challenge', { method: 'POST', ...asJson({ code }) })
  const body = begun?.body as { options?: unknown; wanted?: StepUpOutcome; verifiedUntil?: string | null }
  if (begun?.status === 200 && body.wanted !== undefined) return { wanted: body.wanted }
  if (begun?.status !== 200 || body.options === undefined) return { failure: refusedWords(begun) }
  announceVerified(body.verifiedUntil ?? null)
  const made = await makePasskey(body.options)
  if (!made.ok) return { failure: made.words }
  const added = await askConsole('/api/passkeys', { method: 'POST', ...asJson({ name, passkey: made.value }) })
  if (added?.status === 200) return null
  return {
    failure:
      added === null
        ? `${refusedWords(null)} It is not known whether it was added. Reload the page.`
        : refusedWords(added),
  }
}
