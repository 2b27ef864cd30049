import 'server-only'
import type { ViewedTable } from '#lib/authorization/table.ts'
import type { CommandView, Place } from '#lib/commands/command.ts'
import { kindNamed } from '#lib/commands/kind.ts'
import type { Tables } from '#lib/store/tables.ts'
import { ME } from '#lib/values/address-filter.ts'
import { isUuid } from '#lib/values/ids.ts'
import { ownProperty } from '#lib/values/words.ts'

export const placeOf = (command: Pick<CommandView, 'id' | 'kind' | 'target'>): Place | null =>
  kindNamed(command.kind)?.place?.(command) ?? null

const tablePlaces: Readonly<Record<ViewedTable, string>> = {
  'account-history': '/users',
  changes: '/activity',
  'confirmed-deposits': '/deposits',
  'dispute-queue': '/disputes',
  'issued-cards': '/cards',
  'merchant-terminals': '/terminals',
  'signed-in': '/security/sessions',
  'statement-lines': '/deposits/statements',
}

/** `mine`: the entry is the viewer's. */
export function placeOfEntry({ kind, about, actor_name, facts }: PlacedEntry, mine: boolean): Place | null {
  switch (kind) {
    case 'session.sign-in':
    case 'session.refused':
    case 'session.sign-out':
    case 'session.end':
      return mine
        ? { href: '/security', words: 'Open your sessions' }
        : { href: `/activity?${new URLSearchParams({ person: actor_name })}`, words: 'All their activity' }
    case 'session.end-of-other':
      return { href: `/users/${encodeURIComponent(about)}`, words: 'Open the user' }
    case 'step-up.verify':
    case 'step-up.reject':
    case 'step-up.lock':
    case 'step-up.not-known':
    case 'passkey.reject':
    case 'approval.refuse':
      // A code for a new passkey is about no change.
      if (!isUuid(about)) return mine ? { href: '/security', words: 'Open Security' } : null
      return { href: `/activity/${encodeURIComponent(about)}`, words: 'Open the change' }
    case 'export.activity':
      return placeOfExport('/activity', filterOf(facts), mine)
    case 'export.approvals':
      return placeOfExport('/approvals', filterOf(facts), mine)
    case 'export.cases':
      return placeOfExport('/disputes', filterOf(facts), mine)
    case 'export.history':
      return { href: `/users/${encodeURIComponent(about)}?${filterOf(facts)}`, words: 'Open the user' }
    case 'export.statement':
      return { href: `/deposits/statements/${encodeURIComponent(about)}`, words: 'Open the statement' }
    case 'export.report':
      return { href: `/deposits/report?${new URLSearchParams({ day: about })}`, words: 'Open the report' }
    case 'policy.load':
      return { href: '/approvals', words: 'Open approvals' }
    case 'journal.check':
    case 'key.change':
      return { href: '/activity', words: 'Open the journal' }
    case 'view.share':
    case 'view.change':
    case 'view.remove': {
      const table = ownProperty(tablePlaces, (JSON.parse(facts) as { table: string }).table)
      return table === undefined ? null : { href: table, words: 'Open the table' }
    }
    default:
      return null
  }
}

type PlacedEntry = Pick<Tables['audit_entry'], 'kind' | 'about' | 'actor_name' | 'facts'>

const filterOf = (facts: string): string => (JSON.parse(facts) as { filter: string }).filter

export const FILTER_NOT_SAVED = 'text=(not saved)'

/** Null if the filter would select something else for this viewer. */
function placeOfExport(path: string, filter: string, mine: boolean): Place | null {
  const query = new URLSearchParams(filter)
  const dependsOnReader =
    query.get('person') === ME ||
    !['unassigned', null].includes(query.get('claim')) ||
    query.has('unread') ||
    query.has('notice') ||
    (path === '/approvals' && query.get('view') !== 'decided')
  if (filter === FILTER_NOT_SAVED || (dependsOnReader && !mine)) return null
  return { href: `${path}?${filter}`, words: 'Open what was exported' }
}
