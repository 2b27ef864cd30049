import { type FormEvent, useState } from 'react'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { Modal } from '#components/frame/modal.tsx'
import { asJson } from '#components/service/ask-console.ts'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'
import { endReasonFault } from '#lib/session/sessions-of-others.ts'
import { visibleText } from '#lib/values/text.ts'
import { endSessions, notEndedWords } from '../session-list.tsx'

export interface EndableSession {
  readonly id: string
  readonly person: string
  readonly userId: string
  readonly ofPerson: number
  readonly browser: string
  /** Null when no trusted proxy reports the address. */
  readonly address: string | null
  /** `this` is the viewer's current session; `own` is another session of the viewer. */
  readonly whose: 'this' | 'own' | 'other'
}

interface EndDialogProps {
  session: EndableSession
  onEnded: (words: string) => void
  onClose: () => void
}

export function EndDialog({ session, onEnded, onClose }: EndDialogProps) {
  const [fault, setFault] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const person = visibleText(session.person)
  const all = `all ${session.ofPerson} sessions`
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const pressed = (event.nativeEvent as SubmitEvent).submitter
    const everyone = pressed?.getAttribute('value') === 'all'
    const reason = fieldText(form, 'reason').trim()
    const wrong = endReasonFault(reason)
    setFault(wrong)
    if (wrong !== null || sending) return
    setSending(true)
    const of = everyone ? { userId: session.userId } : { session: session.id }
    const problem = await endSessions('/api/session/others', { method: 'POST', ...asJson({ of, reason }) })
    setSending(false)
    // The administrator's own session ended. A dialog covers the page, which stays as it is until they sign in again.
    if (problem?.kind === 'session-over') return
    if (problem !== null) return setFault(notEndedWords(problem))
    onEnded(everyone ? `All sessions of ${person} have ended.` : `The session of ${person} has ended.`)
  }
  return (
    <Modal
      title={`End the session of ${person}`}
      description={`${session.browser}${session.address === null ? '' : `, from ${session.address}`}. They see that an administrator ended it. Their drafts stay, and they can sign in again.`}
      onClose={() => sending || onClose()}
    >
      <form ref={guardForm} onSubmit={(event) => void submit(event)} className="flex min-h-0 flex-col">
        <div className="px-4.5 py-3">
          <TextField
            label="Reason"
            name="reason"
            dir="auto"
            data-first
            fault={fault}
            help="Recorded with your name. They do not see it."
          />
        </div>
        <DialogFooter>
          <Button type="submit" variant="destructive" aria-disabled={sending}>
            {sending ? 'Ending' : 'End this session'}
          </Button>
          {session.whose === 'other' && session.ofPerson > 1 ? (
            <Button type="submit" value="all" variant="outline" aria-disabled={sending}>
              End {all}
            </Button>
          ) : null}
          <Button variant="ghost" onClick={() => sending || onClose()} aria-disabled={sending}>
            Cancel
          </Button>
        </DialogFooter>
      </form>
    </Modal>
  )
}
