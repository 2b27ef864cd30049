import { useState } from 'react'
import { CodeField } from '#components/command/code-field.tsx'
import { makePasskey, refusedWords } from '#components/command/passkey.ts'
import { announceVerified } from '#components/command/verified.ts'
import { TextField } from '#components/form/text-field.tsx'
import { asJson, askConsole } from '#components/service/ask-console.ts'
import { Button } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { lockAheadWords } from '#lib/commands/code.ts'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import { passkeyNameFault } from '#lib/two-factor/passkey.ts'

interface AddPasskeyProps {
  /** The limit of passkeys is reached. */
  full: boolean
  onAdded: (name: string) => void
}

export function AddPasskey({ full, onAdded }: AddPasskeyProps) {
  const hydrated = useHydrated()
  const [open, setOpen] = useState(false)
  if (full) return null
  if (open) {
    return (
      <AddForm
        onCancel={() => setOpen(false)}
        onAdded={(name) => {
          setOpen(false)
          onAdded(name)
        }}
      />
    )
  }
  return (
    <div className="border-t px-3.5 py-3">
      <Button variant="outline" disabled={!hydrated} onClick={() => setOpen(true)}>
        Add a passkey
      </Button>
    </div>
  )
}

type Came = { readonly wanted: StepUpOutcome } | { readonly failure: string } | null

function AddForm({ onCancel, onAdded }: { onCancel: () => void; onAdded: (name: string) => void }) {
  const [name, setName] = useState('')
  const [nameFault, setNameFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [tries, setTries] = useState(0)
  const [came, setCame] = useState<Came>(null)
  const wanted = came !== null && 'wanted' in came ? came.wanted : null
  const add = async (code: string) => {
    const fault = passkeyNameFault(name)
    setNameFault(fault)
    setTries((count) => count + 1)
    if (fault !== null) return
    setBusy(true)
    const outcome = await addedBy(name.trim(), code)
    setBusy(false)
    setCame(outcome)
    if (outcome === null) onAdded(name.trim())
  }
  return (
    <div className="border-t px-3.5 pt-3">
      <div className="max-w-72">
        <TextField
          label="Name of the passkey"
          name="passkey-name"
          className="mb-2"
          fault={nameFault}
          onText={setName}
          help="To tell it from others, such as “Work laptop”."
        />
        <CodeField
          // A code works once, so each attempt starts with an empty field.
          key={tries}
          takesFocus={tries > 0 && nameFault === null}
          fault={wanted?.rejected ? 'The code was rejected. Wait for the next one: each code works once.' : null}
          lockedSeconds={wanted?.lockedSeconds ?? null}
          warning={wanted?.lockAhead === undefined ? null : lockAheadWords(wanted.lockAhead)}
          digits={null}
          busy={busy}
          button="Add the passkey"
          onCode={(code) => void add(code)}
        />
      </div>
      {came === null || wanted?.rejected ? null : (
        <p role="alert" className="mt-3 text-attention text-sm">
          {'failure' in came ? came.failure : `${came.wanted.title}. ${came.wanted.advice}`}
        </p>
      )}
      <div className="py-3">
        <Button variant="ghost" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** Null when the passkey was added. */
async function addedBy(name: string, code: string): Promise<Came> {
  const begun = await askConsole('/api/passkeys/challenge', { method: 'POST', ...asJson({ code }) })
  const body = begun?.body as { options?: unknown; wanted?: StepUpOutcome; verifiedUntil?: string | null }
  if (begun?.status === 200 && body.wanted !== undefined) return { wanted: body.wanted }
  if (begun?.status !== 200 || body.options === undefined) return { failure: refusedWords(begun) }
  announceVerified(body.verifiedUntil ?? null)
  const made = await makePasskey(body.options)
  if (!made.ok) return { failure: made.words }
  const added = await askConsole('/api/passkeys', { method: 'POST', ...asJson({ name, passkey: made.given }) })
  if (added?.status === 200) return null
  return {
    failure:
      added === null
        ? `${refusedWords(null)} Whether it was added is not known: reload the page.`
        : refusedWords(added),
  }
}
