'use client'

import { KeyRound } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Panel } from '#components/frame/panel.tsx'
import { TwoColumns } from '#components/frame/two-columns.tsx'
import { Button } from '#components/ui/button.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { Timestamp } from '#components/values/timestamp.tsx'
import { PASSKEYS_MAX, type PasskeyView } from '#lib/two-factor/passkey.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { AddPasskey } from './add-passkey.tsx'

export function Passkeys({ passkeys }: { passkeys: readonly PasskeyView[] }) {
  const router = useRouter()
  const hydrated = useHydrated()
  const remove = useCommand(null, () => router.refresh())
  const [said, setSaid] = useState('')
  const busy = !hydrated || remove.state.step === 'checking'
  return (
    <TwoColumns>
      <Panel title="Passkeys">
        <p className="max-w-prose px-3.5 py-3 text-secondary-foreground text-sm">
          Where the policy asks for it, a passkey confirms that you are here for exactly the change that is shown. It
          comes beside the codes of your authenticator, never in their place. At most {PASSKEYS_MAX}.
        </p>
        <ul>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-t px-3.5 py-2">
              <KeyRound aria-hidden className="size-4 shrink-0 text-muted-foreground" strokeWidth={1.75} />
              <PasskeyFacts {...passkey} />
              {passkeys.length > 1 ? (
                <Button
                  variant="outline"
                  disabled={busy}
                  aria-label={`Remove the passkey ${passkey.name} with another one`}
                  onClick={() => remove.prepare('passkey.remove', { id: passkey.id, way: 'passkey' })}
                >
                  Remove
                </Button>
              ) : null}
              <Button
                variant="ghost"
                disabled={busy}
                aria-label={`Ask to have the passkey ${passkey.name} removed`}
                onClick={() => remove.prepare('passkey.remove', { id: passkey.id, way: 'administrator' })}
              >
                Ask to remove
              </Button>
            </li>
          ))}
        </ul>
        {Object.values(remove.faults).map((fault) => (
          <p key={fault} role="alert" className="border-t px-3.5 py-3 text-danger text-sm">
            {fault}
          </p>
        ))}
        <AddPasskey
          full={passkeys.length >= PASSKEYS_MAX}
          onAdded={(name) => {
            setSaid(`The passkey “${name}” was added.`)
            router.refresh()
          }}
        />
        <p role="status" className="px-3.5 text-secondary-foreground text-sm [&:not(:empty)]:pb-3">
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
      <span>{synced ? 'Can be on several devices' : 'On one device'}</span>
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
