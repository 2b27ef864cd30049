import type { CommandView } from '#lib/commands/command.ts'

interface Place {
  readonly href: string
  readonly words: string
}

/** Where a change is looked at and gone on with, beside its history; null where there is no such page. */
export function placeOf({ id, kind, target }: Pick<CommandView, 'id' | 'kind' | 'target'>): Place | null {
  switch (kind) {
    case 'deposit.confirm':
      return { href: `/deposits?${new URLSearchParams({ reference: target })}`, words: 'Open the deposit' }
    case 'card.issue':
      return { href: `/cards/issue?${new URLSearchParams({ command: id })}`, words: 'Open the issue' }
    case 'card.register':
    case 'card.block':
      return { href: `/cards/${encodeURIComponent(target)}`, words: 'Open the card' }
    case 'terminal.register':
      return { href: `/terminals?${new URLSearchParams({ merchant: target })}`, words: 'Open the merchant' }
    case 'terminal.disable':
      return { href: `/terminals/${encodeURIComponent(target)}`, words: 'Open the terminal' }
    case 'statement.import':
    case 'statement.restore':
    case 'statement.edit-line':
      return { href: `/deposits/statements/${encodeURIComponent(target)}`, words: 'Open the statement' }
    case 'snippet.save':
    case 'snippet.remove':
    case 'snippet.restore':
      return { href: '/disputes/snippets', words: 'Open the snippets' }
    case 'dispute.message':
    case 'dispute.resolve':
    case 'case.assign':
    case 'case.reassign-to-me':
    case 'case.reassign':
    case 'case.unassign':
    case 'case.note':
    case 'case.snooze':
    case 'case.wake':
      return { href: `/disputes/${encodeURIComponent(target)}`, words: 'Open the case' }
    default:
      return null
  }
}
