import { RoomNotes } from '#components/command/lines.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { type Refusal, scopeWords } from '#lib/authorization/judge.ts'
import { readRoom } from '#lib/commands/policy/room.ts'
import { ruleSentence } from '#lib/commands/policy/rule-words.ts'
import { config } from '#lib/config/config.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import type { Session } from '#lib/session/session.ts'

export const RefusedPanel = ({ refusal, part }: { refusal: Refusal; part?: string }) => (
  <Panel
    title={refusal.known ? (part ?? 'You do not have access') : 'Access could not be checked'}
    meaning="attention"
    className="max-w-3xl"
    data-refused={part === undefined ? 'page' : 'part'}
  >
    <p className="px-3.5 py-4 text-secondary-foreground text-sm">
      <Why refusal={refusal} />
    </p>
  </Panel>
)

function Why({ refusal }: { refusal: Refusal }) {
  if (!refusal.known) return 'Your scopes could not be read right now. Try again in a moment.'
  if (refusal.administration) return 'Only administrators of this console have access. Ask your administrator.'
  return (
    <>
      It needs the scope <span className="mono">{scopeWords(refusal)}</span>.
    </>
  )
}

interface LimitNoteProps {
  session: Session
  kind: CommandKindName
  /** Null if it cannot be read; undefined if it is not known yet, or the kind has none. */
  amount?: string | null
}

/** What the person may still do of this kind. Nothing if no limit applies. */
export async function LimitNote({ session, ...planned }: LimitNoteProps) {
  return <RoomNotes room={await readRoom(session, planned)} />
}

export const PolicyNotes = (props: LimitNoteProps) => (
  <>
    <ApprovalNote kind={props.kind} />
    <LimitNote {...props} />
  </>
)

export function ApprovalNote({ kind }: { kind: CommandKindName }) {
  const rules = config().policy.rules.filter(
    (rule) => rule.kind === kind && (rule.approval !== undefined || rule.passkey === true),
  )
  return rules.length === 0 ? null : <span className="block">{rules.map((rule) => ruleSentence(rule)).join(' ')}</span>
}
