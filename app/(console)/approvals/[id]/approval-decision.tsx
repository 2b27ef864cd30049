'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { decide } from '#components/command/command-client.ts'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { signWithPasskey } from '#components/command/passkey.ts'
import { useCommand } from '#components/command/use-command.ts'
import { fieldText, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { ButtonLink, Panel } from '#components/frame/panel.tsx'
import { canRefreshAfter, isUnanswered } from '#components/service/ask-console.ts'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { SubmitButton } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/field.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { APPROVE_FRAGMENT } from '#lib/activity/approval-filter.ts'
import type { CommandReply, CommandView } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { noteFault, visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'

interface ApprovalDecisionProps {
  command: CommandView
  /** The digest of the effect on the page, so that a decision applies only to what the approver saw. */
  effect: string
  /** Of the facts on the page; null if they could not be read. */
  factsMark: string | null
  whyNot: string | null
  passkey: PasskeyOfDecision
  /** The operator has approved, and now reads the updates. */
  isReread?: boolean
  next?: NextToDecide
}

export type PasskeyOfDecision = 'not-needed' | 'needed' | 'missing'

/** The next request that waits for this operator, after their decision. */
interface NextToDecide {
  /** Null when nothing else waits. */
  readonly request: { readonly id: string; readonly title: string; readonly waiting: number } | null
  /** The filter of the list; empty without one. */
  readonly query: string
}

export function ApprovalDecision({ command: initial, whyNot, next, ...shown }: ApprovalDecisionProps) {
  const command = useCommand(initial, useAutomaticRefresh())
  const waits = command.state.step === 'outcome' && command.state.command.outcome.class === 'approval'
  const decides = whyNot === null && waits
  const box = useRef<HTMLDivElement>(null)
  const decided = useRef(decides)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (decided.current && !decides && isLost) box.current?.querySelector('section')?.focus()
    decided.current = decides
  }, [decides])
  // Shows the outcome instead of the form once this operator cannot decide any more.
  if (decides) return <DecisionForm id={initial.id} {...shown} />
  return (
    <div ref={box} className="grid gap-4">
      <CommandOutcome command={command} titleAbove />
      <CommandDialogs command={command} />
      {waits ? <p className="px-0.5 text-secondary-foreground text-sm">{whyNot}</p> : null}
      {next === undefined ? null : <NextRequest next={next} />}
    </div>
  )
}

const NEXT_KEY = 'n'

function NextRequest({ next: { request, query } }: { next: NextToDecide }) {
  const router = useRouter()
  const href = request === null ? `/approvals${query}` : `/approvals/${encodeURIComponent(request.id)}${query}`
  usePageKey(NEXT_KEY, () => router.push(href))
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-secondary-foreground text-sm">
      {request === null ? 'Nothing else waits for your decision.' : null}
      <ButtonLink href={href} variant="outline" aria-keyshortcuts={NEXT_KEY}>
        {request === null ? 'Back to Approvals' : `Next: ${visibleText(request.title)}`}
        <ShortcutHint of={NEXT_KEY} />
      </ButtonLink>
      {request === null ? null : <span className="figures">{formatCount(request.waiting)} waiting</span>}
    </p>
  )
}

type DecisionFormProps = Pick<ApprovalDecisionProps, 'effect' | 'factsMark' | 'passkey' | 'isReread'> & { id: string }

function DecisionForm({ id, effect, factsMark, passkey, isReread = false }: DecisionFormProps) {
  const refresh = useAutomaticRefresh()
  const [sending, setSending] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const approve = useRef<HTMLButtonElement>(null)
  const decline = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const { hash, pathname, search } = window.location
    if (hash !== `#${APPROVE_FRAGMENT}`) return
    approve.current?.focus()
    // Once: a form that appears again takes no focus.
    window.history.replaceState(null, '', pathname + search)
  }, [])
  usePageKey('a', () => approve.current?.focus())
  usePageKey('d', () => field.current?.focus())
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    const form = event.currentTarget
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null
    const approves = pressed?.value !== 'decline'
    const reason = fieldText(form, 'reason').trim()
    const wrong = approves && reason === '' ? null : noteFault(reason, 'Enter a reason for declining.')
    setFault(wrong)
    if (wrong !== null) return
    setSending(true)
    const seen = approves && factsMark !== null ? { factsMark } : {}
    const failed = await decided(id, { approves, effect, reason, ...seen }, passkey === 'needed')
    setFailure(failed?.words ?? null)
    setSending(false)
    if (failed === null) form.reset()
    if (failed === null || failed.isMoved) refresh()
  }
  return (
    <Panel title={isReread ? 'Read the updates' : 'Your decision'}>
      {isReread ? (
        <p className="px-3.5 pt-3 text-secondary-foreground text-sm">
          You approved this before these updates. It can be sent once an approver has read them.
        </p>
      ) : null}
      <form ref={guardForm} onSubmit={(event) => void submit(event)} className="grid gap-1 px-3.5 py-3">
        <TextField
          box={field}
          label="Reason"
          name="reason"
          fault={fault}
          help="Required to decline. Recorded with your name."
          suffix={<ShortcutHint of="d" />}
          aria-keyshortcuts="d"
          // Enter would press the first button, which approves.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            decline.current?.focus()
          }}
        />
        <div className="flex flex-wrap gap-2">
          <SubmitButton
            ref={approve}
            value="approve"
            aria-disabled={sending}
            disabled={passkey === 'missing'}
            aria-keyshortcuts="a"
          >
            {isReread ? 'I have read the updates' : approveWords(passkey)}
            <ShortcutHint of="a" />
          </SubmitButton>
          <SubmitButton ref={decline} value="decline" variant="outline" aria-disabled={sending}>
            Decline
          </SubmitButton>
        </div>
        {passkey === 'missing' ? (
          <p className="text-attention text-sm">
            Approving needs a passkey, and you have none.{' '}
            <Link href="/security" prefetch={false} className="underline underline-offset-4">
              Add a passkey
            </Link>
          </p>
        ) : null}
        <FormError fault={failure} meaning="attention" />
      </form>
    </Panel>
  )
}

const approveWords = (passkey: PasskeyOfDecision): string =>
  passkey === 'not-needed' ? 'Approve' : 'Approve with your passkey'

interface Failure {
  readonly words: string
  /** The request may have changed. */
  readonly isMoved: boolean
}

/** Null when the decision was recorded. Declining never needs a passkey. */
async function decided(
  id: string,
  decision: Parameters<typeof decide>[1],
  takesPasskey: boolean,
): Promise<Failure | null> {
  if (!decision.approves || !takesPasskey) return failureOf(await decide(id, decision))
  const present = await signWithPasskey(id)
  if (!present.ok) return { words: present.words, isMoved: false }
  return failureOf(await decide(id, { ...decision, passkey: present.value }))
}

/** Null when the decision was recorded. Without an answer, the text says that this is not known. */
function failureOf(reply: CommandReply | null): Failure | null {
  if (reply?.ok) return reply.notice === undefined ? null : { words: reply.notice, isMoved: true }
  const problem = reply?.problem ?? problemOf('console-unreachable')
  const { title, advice } = problemWords(problem)
  const doubt = isUnanswered(problem) ? ' It is not known whether it was recorded. Reload the page.' : ''
  // The console's own refusals say what to do.
  const words = `${title.replace(/\.$/, '')}.${doubt} ${problem.status === 409 ? '' : advice}`.trim()
  return { words, isMoved: canRefreshAfter(problem) }
}
