'use client'

import { type ReactNode, useRef, useState } from 'react'
import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { useUnsentText } from '#components/domain/use-unsent-text.ts'
import type { CaseStream } from '#components/live/use-case-stream.ts'
import { Button } from '#components/ui/button.tsx'
import type { CaseParties } from '#lib/domain/case-role.ts'
import type { KeptText } from '#lib/domain/unsent-text.ts'
import { Composer } from './composer.tsx'
import { OutgoingMessage } from './outgoing-message.tsx'
import { ThreadLog } from './thread-log.tsx'
import { messageIdOf, type Outgoing, useOutbox } from './use-outbox.ts'

interface ThreadPaneProps {
  caseId: string
  stream: CaseStream
  parties: CaseParties
  me: string | null
  kept: KeptText
  /** Messages of before whose end is not known. */
  open: readonly Outgoing[]
  missingScope: string | null
  /** Takes the composer's place once the case is resolved. */
  resolved: ReactNode
}

/** The thread of a case, and where one writes into it. */
export function ThreadPane({ caseId, stream, parties, me, kept, open, missingScope, resolved }: ThreadPaneProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const unsent = useUnsentText(kept)
  const outbox = useOutbox(caseId, open, (body) => {
    // What was typed since is another message.
    if ((box.current?.value ?? '').trim() === '') unsent.forget()
    else if ((box.current?.value ?? '').trim() === body) clear()
  })
  const clear = () => {
    if (box.current !== null) box.current.value = ''
    unsent.forget()
  }
  const send = (body: string) => {
    outbox.send(body)
    // The text stays kept until it is surely sent; only the field is emptied.
    if (box.current !== null) box.current.value = ''
  }
  const writeAgain = ({ id, body }: Outgoing) => {
    outbox.drop(id)
    if (box.current === null) return
    const typed = box.current.value.trim()
    box.current.value = typed === '' ? body : `${body}\n\n${typed}`
    unsent.keep(box.current.value)
    box.current.focus()
  }
  const there = new Set(stream.messages.map(({ id }) => id.toLowerCase()))
  const onTheWay = outbox.entries.filter(({ state }) => {
    const id = state.step === 'told' ? messageIdOf(state.command) : null
    return id === null || !there.has(id.toLowerCase())
  })
  return (
    <>
      <ThreadLog messages={stream.messages} parties={parties} me={me} head={<ThreadHead stream={stream} />}>
        {onTheWay.map((entry) => (
          <OutgoingMessage
            key={entry.id}
            entry={entry}
            onTold={(command) => outbox.told(entry.id, command)}
            onBack={() => writeAgain(entry)}
          />
        ))}
      </ThreadLog>
      {stream.readOnly ? (
        <>
          {resolved}
          <KeptDraft read={unsent.current} />
        </>
      ) : (
        <Composer
          box={box}
          initial={unsent.initial}
          onText={unsent.keep}
          onLeave={unsent.flush}
          onSend={send}
          missingScope={missingScope}
        />
      )}
    </>
  )
}

function ThreadHead({ stream: { unreadable, problem, resync } }: { stream: CaseStream }) {
  return (
    <>
      {unreadable === 0 ? null : (
        <p role="status" className="text-attention text-sm">
          {unreadable === 1 ? '1 message' : `${unreadable} messages`} of this thread cannot be read by this console.
        </p>
      )}
      {problem === null ? null : (
        <ProblemPanel problem={problem} retry={<Button onClick={resync}>Read again</Button>} />
      )}
    </>
  )
}

/** An unsent message outlives its case: it can be read and copied, and sent nowhere any more. */
function KeptDraft({ read }: { read: () => string }) {
  const [text] = useState(read)
  return text.trim() === '' ? null : (
    <section aria-label="Your unsent message" className="border-line border-t px-4 py-3 sm:px-6">
      <h3 className="mb-1 font-[550] text-sm">Your unsent message is kept</h3>
      <p className="max-h-32 overflow-y-auto whitespace-pre-wrap text-ink-2 text-sm [overflow-wrap:anywhere]">{text}</p>
    </section>
  )
}
