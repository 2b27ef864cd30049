import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import { useSessionBack } from '#components/service/use-session-back.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { changeLine, type LineAct, SESSION_OVER } from '../statement-requests.ts'

/** What a dialog asks for. */
export interface OpenDialog {
  readonly what: 'reference' | 'bank-reference' | 'set-aside' | 'confirm'
  readonly line: LineView
}

export interface LineActs {
  readonly dialog: OpenDialog | null
  /** Why the latest act was not done. */
  readonly fault: string | null
  /** The line that something is being done with. */
  readonly busy: number | null
  open(dialog: OpenDialog): void
  close(): void
  act(line: LineView, act: LineAct): Promise<boolean>
}

/** What a person does with single lines; the page is read anew afterwards. `onDone`: told of the line before that. */
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
        // Without a session it would leave for sign-in, and the page is to stay.
        if (asked.ok || asked.why !== SESSION_OVER) router.refresh()
        return asked.ok
      },
    }),
    [id, router, dialog, fault, busy, onDone],
  )
}
