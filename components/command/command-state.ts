import {
  type CommandView,
  type DraftReply,
  type DraftView,
  isApprovedView,
  type Once,
  type StepUpOutcome,
} from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { visibleText } from '#lib/values/text.ts'
import type { UnseenAct } from './command-client.ts'

/** `unanswered`: the change may have been sent; the hook keeps asking. */
export type CommandState =
  | { readonly step: 'idle' }
  | { readonly step: 'checking' }
  | {
      readonly step: 'confirming'
      readonly draft: DraftView
      readonly sending: boolean
      /** Why a request for approval failed. */
      readonly problem?: Problem | null
      /** Shown again if the dialog is closed. */
      readonly before?: CommandView | undefined
    }
  | {
      readonly step: 'verifying'
      readonly command: CommandView
      readonly stepUp: StepUpOutcome
      readonly sending: boolean
      readonly before?: CommandView | undefined
    }
  | {
      readonly step: 'outcome'
      readonly command: CommandView
      readonly once: Once | null
      readonly notice: string | null
    }
  | { readonly step: 'problem'; readonly problem: Problem }
  | { readonly step: 'unanswered'; readonly id: string; readonly problem: Problem }

export interface InFlight {
  readonly id: string
  readonly kind: string
  readonly sinceMs: number
}

export interface Command {
  readonly state: CommandState
  readonly inFlight: InFlight | null
  /** Counts answers to acts of the operator. */
  readonly answers: number
  readonly faults: Readonly<Record<string, string>>
  /** Id of the change that locks the object. */
  readonly heldBy: string | null
  /** Milliseconds since 1970. */
  readonly nextReconcileAt: number | null
  /** `code`: for kinds whose request itself takes one. */
  prepare(kind: CommandKindName, params: unknown, code?: string): void
  /** {@link prepare} for a draft from another endpoint. */
  prepareBy(drafting: () => Promise<DraftReply | null>): void
  /** Drafts a request that ended unsent once more. */
  askAgain(): void
  confirm(proof: string): void
  ask(reason: string, proof: string): void
  /** Null: uses a passkey, or asks which factor is needed now. */
  verify(code: string | null): void
  /** Opens the dialog that sends an approved change. `acknowledged`: the mark of the changed facts shown. */
  sendApproved(acknowledged: string | null): void
  /** Cancels an unsent change. The dialog of a shown one only closes. */
  cancel(): void
  reconcileNow(): void
  settle(happened: boolean, why: string): void
  handleUnseen(act: UnseenAct, why: string): void
  /** Drops a secret that only one answer contains. */
  forget(): void
  clear(): void
}

const WAIT = 'The previous change is still being checked.'
const WAIT_FOR_ANSWER = 'The previous change may have been sent and is still being checked.'

/** Null when the change can start. */
export function blockingReason({ state }: Pick<Command, 'state'>): string | null {
  if (state.step === 'unanswered') return WAIT_FOR_ANSWER
  if (state.step !== 'outcome') return null
  const { outcome, settledByHand, yours } = state.command
  switch (outcome.class) {
    case 'sending':
      return WAIT
    case 'unknown':
    case 'accepted':
      return settledByHand ? 'The outcome of the previous change is not known. Settle it first.' : WAIT
    case 'approval':
      // A merchant may get several terminals.
      return state.command.kind === 'terminal.register' ? null : approvalWords(state.command)
    case 'prepared':
    case 'step-up':
      // Another operator's command expires without being sent.
      return yours ? 'The previous change waits for you. Continue or cancel it.' : null
    default:
      return null
  }
}

function approvalWords(command: CommandView): string {
  if (!command.yours) return `${visibleText(command.actorName)} has already asked for approval of this.`
  return isApprovedView(command)
    ? 'The previous change is approved. Send or cancel it.'
    : 'You have already asked for approval of this. Cancel that request first.'
}
