import 'server-only'
import { cardBlock } from '#lib/cards/card-block.ts'
import { cardIssue } from '#lib/cards/card-issue.ts'
import { cardRegister } from '#lib/cards/card-register.ts'
import { depositConfirm } from '#lib/deposits/deposit-confirm.ts'
import { depositHandBack, depositHandOver } from '#lib/deposits/hand-over.ts'
import { categoryRestore, categoryRetire, categorySave } from '#lib/disputes/categories/category-kinds.ts'
import { disputeResolve } from '#lib/disputes/dispute-resolve.ts'
import { snippetRemove, snippetRestore, snippetSave } from '#lib/disputes/snippets/snippet-kinds.ts'
import { disputeMessage } from '#lib/disputes/thread/dispute-message.ts'
import { transactionResolve } from '#lib/disputes/transaction-resolve.ts'
import { assigneeAway } from '#lib/disputes/workspace/absence.ts'
import { caseAssign, caseReassign, caseReassignToMe, caseUnassign } from '#lib/disputes/workspace/case-assignment.ts'
import { caseNote } from '#lib/disputes/workspace/case-note.ts'
import { caseDropDeadline, caseSnooze, caseWake } from '#lib/disputes/workspace/case-snooze.ts'
import { caseWatch } from '#lib/disputes/workspace/case-watch.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { terminalDisable } from '#lib/terminals/terminal-disable.ts'
import { terminalRegister } from '#lib/terminals/terminal-register.ts'
import { passkeyRemove } from '#lib/two-factor/passkey-remove.ts'
import { totpConfirm, totpEnrol, totpRemove } from '#lib/two-factor/totp.ts'
import { changeErase } from './commands/erase-text.ts'
import { evidenceExport } from './commands/evidence.ts'
import type { AnyKind } from './commands/kind.ts'
import { accessRefused } from './commands/record.ts'
import { settleKind } from './commands/settle.ts'
import {
  statementDiscard,
  statementEditLine,
  statementImport,
  statementRestore,
} from './statements/statement-entries.ts'
import { passkeyAdd } from './two-factor/enrol-passkey.ts'

/** The command registry that the engine receives at the start of the process. */
export const kinds = {
  'deposit.confirm': depositConfirm,
  'deposit.hand-over': depositHandOver,
  'deposit.hand-back': depositHandBack,
  'totp.enrol': totpEnrol,
  'totp.confirm': totpConfirm,
  'totp.remove': totpRemove,
  'card.issue': cardIssue,
  'card.register': cardRegister,
  'card.block': cardBlock,
  'terminal.register': terminalRegister,
  'terminal.disable': terminalDisable,
  'case.assign': caseAssign,
  'case.reassign-to-me': caseReassignToMe,
  'case.reassign': caseReassign,
  'case.unassign': caseUnassign,
  'case.note': caseNote,
  'case.snooze': caseSnooze,
  'case.wake': caseWake,
  'case.watch': caseWatch,
  'case.drop-deadline': caseDropDeadline,
  'assignee.away': assigneeAway,
  'category.save': categorySave,
  'category.retire': categoryRetire,
  'category.restore': categoryRestore,
  'snippet.save': snippetSave,
  'snippet.remove': snippetRemove,
  'snippet.restore': snippetRestore,
  'dispute.message': disputeMessage,
  'dispute.resolve': disputeResolve,
  'transaction.resolve': transactionResolve,
  'deposit.settle': settleKind('deposit.settle'),
  'dispute.settle': settleKind('dispute.settle'),
  'statement.import': statementImport,
  'statement.discard': statementDiscard,
  'statement.restore': statementRestore,
  'statement.edit-line': statementEditLine,
  'passkey.add': passkeyAdd,
  'passkey.remove': passkeyRemove,
  'access.refused': accessRefused,
  'evidence.export': evidenceExport,
  'change.erase': changeErase,
} satisfies Readonly<Record<CommandKindName, AnyKind>>
