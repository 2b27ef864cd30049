import 'server-only'
import { type CommandKindName, commandKinds } from '#lib/domain/command.ts'
import { accessRefused } from './access-refused.ts'
import { cardBlock } from './card-block.ts'
import { cardIssue } from './card-issue.ts'
import { cardRegister } from './card-register.ts'
import { caseClaim } from './case-claim.ts'
import { caseHandOver } from './case-hand-over.ts'
import { caseNote } from './case-note.ts'
import { caseRelease } from './case-release.ts'
import { caseTakeOver } from './case-take-over.ts'
import type { AnyFacts, CommandKind } from './command-kind.ts'
import { depositConfirm } from './deposit-confirm.ts'
import { disputeMessage } from './dispute-message.ts'
import { disputeResolve } from './dispute-resolve.ts'
import { statementDiscard, statementEditLine, statementTake } from './statement-acts.ts'
import { terminalDisable } from './terminal-disable.ts'
import { terminalRegister } from './terminal-register.ts'
import { totpConfirm } from './totp-confirm.ts'
import { totpEnrol } from './totp-enrol.ts'
import { totpRemove } from './totp-remove.ts'
import { transactionResolve } from './transaction-resolve.ts'

/** A kind whose own types are its own business: what goes in as `unknown` has passed its schema. */
export type AnyKind = CommandKind<unknown, AnyFacts, unknown>

const kinds: Readonly<Record<CommandKindName, AnyKind>> = {
  'deposit.confirm': depositConfirm as AnyKind,
  'totp.enrol': totpEnrol as AnyKind,
  'totp.confirm': totpConfirm as AnyKind,
  'totp.remove': totpRemove as AnyKind,
  'card.issue': cardIssue as AnyKind,
  'card.register': cardRegister as AnyKind,
  'card.block': cardBlock as AnyKind,
  'terminal.register': terminalRegister as AnyKind,
  'terminal.disable': terminalDisable as AnyKind,
  'case.claim': caseClaim as AnyKind,
  'case.take-over': caseTakeOver as AnyKind,
  'case.hand-over': caseHandOver as AnyKind,
  'case.release': caseRelease as AnyKind,
  'case.note': caseNote as AnyKind,
  'dispute.message': disputeMessage as AnyKind,
  'dispute.resolve': disputeResolve as AnyKind,
  'transaction.resolve': transactionResolve as AnyKind,
  'statement.take': statementTake as AnyKind,
  'statement.discard': statementDiscard as AnyKind,
  'statement.edit-line': statementEditLine as AnyKind,
  'access.refused': accessRefused as AnyKind,
}

const isKind = (name: string): name is CommandKindName => commandKinds.some((kind) => kind === name)

/** Undefined when there is no such kind. */
export const kindNamed = (name: string): AnyKind | undefined => (isKind(name) ? kinds[name] : undefined)
