import 'server-only'
import { cardBlock } from '#lib/cards/card-block.ts'
import { cardIssue } from '#lib/cards/card-issue.ts'
import { cardRegister } from '#lib/cards/card-register.ts'
import { depositConfirm } from '#lib/deposits/deposit-confirm.ts'
import { disputeResolve } from '#lib/disputes/dispute-resolve.ts'
import { snippetRemove, snippetRestore } from '#lib/disputes/snippets/snippet-remove.ts'
import { snippetSave } from '#lib/disputes/snippets/snippet-save.ts'
import { disputeMessage } from '#lib/disputes/thread/dispute-message.ts'
import { transactionResolve } from '#lib/disputes/transaction-resolve.ts'
import { caseAssign } from '#lib/disputes/workspace/case-assign.ts'
import { caseNote } from '#lib/disputes/workspace/case-note.ts'
import { caseReassign } from '#lib/disputes/workspace/case-reassign.ts'
import { caseReassignToMe } from '#lib/disputes/workspace/case-reassign-to-me.ts'
import { caseSnooze, caseWake } from '#lib/disputes/workspace/case-snooze.ts'
import { caseUnassign } from '#lib/disputes/workspace/case-unassign.ts'
import { forAssignee } from '#lib/disputes/workspace/for-assignee.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { freeLineOf } from '#lib/statements/line-changes.ts'
import {
  statementDiscard,
  statementEditLine,
  statementImport,
  statementRestore,
} from '#lib/statements/recorded-acts.ts'
import { store } from '#lib/store/store.ts'
import { terminalDisable } from '#lib/terminals/terminal-disable.ts'
import { terminalRegister } from '#lib/terminals/terminal-register.ts'
import { passkeyAdd } from '#lib/two-factor/passkey-add.ts'
import { passkeyRemove } from '#lib/two-factor/passkey-remove.ts'
import { totpConfirm } from '#lib/two-factor/totp-confirm.ts'
import { totpEnrol } from '#lib/two-factor/totp-enrol.ts'
import { totpRemove } from '#lib/two-factor/totp-remove.ts'
import type { AnyKind } from './commands/kind.ts'
import { accessRefused } from './commands/record.ts'
import { settleKind } from './commands/settle.ts'

/** The command registry that the engine receives at the start of the process. */
export const kinds: Readonly<Record<CommandKindName, AnyKind>> = {
  'deposit.confirm': {
    ...(depositConfirm as AnyKind),
    // Frees the statement line whose confirmation the operator withdrew.
    onWithdrawn: async (commandId) => freeLineOf(await store(), commandId),
  },
  'totp.enrol': totpEnrol as AnyKind,
  'totp.confirm': totpConfirm as AnyKind,
  'totp.remove': totpRemove as AnyKind,
  'card.issue': cardIssue as AnyKind,
  'card.register': cardRegister as AnyKind,
  'card.block': cardBlock as AnyKind,
  'terminal.register': terminalRegister as AnyKind,
  'terminal.disable': terminalDisable as AnyKind,
  'case.assign': caseAssign as AnyKind,
  'case.reassign-to-me': caseReassignToMe as AnyKind,
  'case.reassign': caseReassign as AnyKind,
  'case.unassign': caseUnassign as AnyKind,
  'case.note': forAssignee(caseNote) as AnyKind,
  'case.snooze': caseSnooze as AnyKind,
  'case.wake': caseWake as AnyKind,
  'snippet.save': snippetSave as AnyKind,
  'snippet.remove': snippetRemove as AnyKind,
  'snippet.restore': snippetRestore as AnyKind,
  'dispute.message': forAssignee(disputeMessage) as AnyKind,
  'dispute.resolve': forAssignee(disputeResolve) as AnyKind,
  'transaction.resolve': transactionResolve as AnyKind,
  'deposit.settle': settleKind('deposit.settle') as AnyKind,
  'dispute.settle': settleKind('dispute.settle') as AnyKind,
  'statement.import': statementImport as AnyKind,
  'statement.discard': statementDiscard as AnyKind,
  'statement.restore': statementRestore as AnyKind,
  'statement.edit-line': statementEditLine as AnyKind,
  'passkey.add': passkeyAdd as AnyKind,
  'passkey.remove': passkeyRemove as AnyKind,
  'access.refused': accessRefused as AnyKind,
}
