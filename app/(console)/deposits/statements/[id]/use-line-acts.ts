import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { changeLine, type LineAct, SESSION_OVER } from '../statement-requests.ts'

export interface OpenDialog {
  readonly what: 'reference' | 'bank-reference' | 'set-aside' | 'confirm'
  readonly line: LineView
}

export interface LineActs {
  readonly dialog: OpenDialog | null
  /** Why the latest action failed. */
  readonly fault: string | null
  /** The number of the line with an action in progress. */
  readonly busy: number | null
  open(dialog: OpenDialog): void
  close(): void
  act(line: LineView, act: LineAct): Promise<boolean>
}

/** Refreshes the page after each action. `onDone` gets the line's number before the refresh. */
export function useLineActs(id: string, onDone: (line: number) => void): LineActs {
  const router = useRouter()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState<number | null>(null)
  useSessionBack(() => setFault((said) => (said === SESSION_OVER ? null : said)))
  return useMemo(
    () => ({
      dialog,
      fault,
      busy,
      open(next) {
        setFault(null)
        setDialog(next)
      },
      close: () => setDialog(null),
      async act(line, act) {
        setBusy(line.number)
        const asked = await changeLine(id, line.number, act)
        setBusy(null)
        setFault(asked.ok ? null : asked.why)
        if (asked.ok) {
          setDialog(null)
          onDone(line.number)
        }
        // With an ended session, a refresh would redirect to sign-in and lose the page.
        if (asked.ok || asked.why !== SESSION_OVER) router.refresh()
        return asked.ok
      },
    }),
    [id, router, dialog, fault, busy, onDone],
  )
}
