'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { Panel } from '#components/ui/panel.tsx'
import { TwoFactorEnrol } from './two-factor-enrol.tsx'
import { TwoFactorRemove } from './two-factor-remove.tsx'
import { TwoFactorChip, TwoFactorState } from './two-factor-state.tsx'
import { useTries } from './use-tries.ts'

export interface TwoFactorStatus {
  readonly enrolled: boolean
  /** ISO 8601. */
  readonly enrolledAt: string | null
  /** ISO 8601, by the service's clock; no code is taken before. */
  readonly lockedUntil: string | null
  /** For how many seconds from now; null when codes are taken. */
  readonly lockedSeconds: number | null
  /** How many digits a code of the present key has; null where that is not known. */
  readonly digits: number | null
}

/** The state of the second factor in one line, the way in or out, and at the right what came of it. */
export function TwoFactorDesk(status: TwoFactorStatus) {
  const { enrolled, lockedSeconds, digits } = status
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
  // A rejected code may have been one too many: the status says until when no other is taken.
  useEffect(() => {
    if (confirmTries.latest !== null || removeTries.latest !== null) router.refresh()
  }, [confirmTries.latest, removeTries.latest, router])

  const keyShown = enrol.state.step === 'told' && enrol.state.once !== null
  const line = useFocusAfter(`${enrolled} ${keyShown}`)
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
      <Panel title="Two-factor security" aside={<TwoFactorChip {...status} />}>
        <TwoFactorState {...status} ref={line} />
        {enrolled ? (
          <TwoFactorRemove command={remove} tries={removeTries} lockedSeconds={lockedSeconds} digits={digits} />
        ) : (
          <TwoFactorEnrol enrol={enrol} confirm={confirm} tries={confirmTries} lockedSeconds={lockedSeconds} />
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
    </div>
  )
}

/** When what had the focus is gone, the focus comes here. */
function useFocusAfter(change: string) {
  const place = useRef<HTMLParagraphElement>(null)
  const seen = useRef(change)
  useEffect(() => {
    if (seen.current !== change && document.activeElement === document.body) place.current?.focus()
    seen.current = change
  }, [change])
  return place
}
