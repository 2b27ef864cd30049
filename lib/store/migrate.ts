import 'server-only'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as namesOfKinds from '#lib/store/migrations/0017-names-of-kinds.ts'
import { inTransaction } from './in-transaction.ts'
import * as sessionsAndJournal from './migrations/0001-sessions-and-journal.ts'
import * as sessionEndsAndUnsentText from './migrations/0002-session-ends-and-unsent-text.ts'
import * as logoutTokens from './migrations/0003-logout-tokens.ts'
import * as upkeep from './migrations/0004-upkeep.ts'
import * as cardsAndTerminals from './migrations/0005-cards-and-terminals.ts'
import * as statements from './migrations/0006-statements.ts'
import * as statesSeen from './migrations/0007-states-seen.ts'
import * as caseWorkspace from './migrations/0008-case-desk.ts'
import * as casesSeen from './migrations/0009-cases-seen.ts'
import * as lineEdits from './migrations/0010-line-edits.ts'
import * as commandIndexes from './migrations/0011-command-indexes.ts'
import * as endsThatAreTrue from './migrations/0012-ends-that-are-true.ts'
import * as caseCandidates from './migrations/0014-case-candidates.ts'
import * as admission from './migrations/0015-admission.ts'
import * as unsentTextWrites from './migrations/0016-unsent-text-writes.ts'
import * as statementSuggestions from './migrations/0018-statement-suggestions.ts'
import * as discardedStatements from './migrations/0019-discarded-statements.ts'
import * as traceAndWayOfSigningIn from './migrations/0020-trace-and-way-of-signing-in.ts'
import * as timesOfStates from './migrations/0021-times-of-states.ts'
import * as cardTypes from './migrations/0022-card-types.ts'
import * as caseIndex from './migrations/0023-case-index.ts'
import * as caseThreads from './migrations/0024-case-threads.ts'
import * as snippets from './migrations/0025-snippets.ts'
import * as snoozedCases from './migrations/0026-snoozed-cases.ts'
import * as lookUp from './migrations/0027-look-up.ts'
import * as activity from './migrations/0028-activity.ts'
import * as savedViews from './migrations/0029-saved-views.ts'
import * as auditTrail from './migrations/0030-audit-trail.ts'
import * as news from './migrations/0031-news.ts'
import * as statementRuns from './migrations/0032-statement-runs.ts'
import * as newsOfThreads from './migrations/0033-news-of-threads.ts'
import * as sessionsOfOthers from './migrations/0034-sessions-of-others.ts'
import * as newsOfTheQueue from './migrations/0035-news-of-the-queue.ts'
import * as newsOfOpenChanges from './migrations/0036-news-of-open-changes.ts'
import * as commandTraces from './migrations/0037-command-traces.ts'
import * as newsOfSessions from './migrations/0038-news-of-sessions.ts'
import * as resumedLookUps from './migrations/0039-resumed-look-ups.ts'
import * as effectsAndLimits from './migrations/0040-effects-and-limits.ts'
import * as approvals from './migrations/0041-approvals.ts'
import * as enteredReferences from './migrations/0042-entered-references.ts'
import * as passkeys from './migrations/0043-passkeys.ts'
import * as identityOfBankReferences from './migrations/0044-identity-of-bank-references.ts'
import * as codeAttempts from './migrations/0045-code-attempts.ts'
import * as removedPasskeys from './migrations/0046-removed-passkeys.ts'
import * as statementPauses from './migrations/0047-statement-pauses.ts'
import * as handledChanges from './migrations/0048-handled-changes.ts'
import * as knownAccounts from './migrations/0049-known-accounts.ts'
import type { Tables } from './tables.ts'

/** In order. A migration that has landed is never changed; the next one mends it. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-sessions-and-journal': sessionsAndJournal,
  '0002-session-ends-and-unsent-text': sessionEndsAndUnsentText,
  '0003-logout-tokens': logoutTokens,
  '0004-upkeep': upkeep,
  '0005-cards-and-terminals': cardsAndTerminals,
  '0006-statements': statements,
  '0007-states-seen': statesSeen,
  '0008-case-desk': caseWorkspace,
  '0009-cases-seen': casesSeen,
  '0010-line-edits': lineEdits,
  '0011-command-indexes': commandIndexes,
  '0012-ends-that-are-true': endsThatAreTrue,
  '0014-case-candidates': caseCandidates,
  '0015-admission': admission,
  '0016-unsent-text-writes': unsentTextWrites,
  '0017-names-of-kinds': namesOfKinds,
  '0018-statement-suggestions': statementSuggestions,
  '0019-discarded-statements': discardedStatements,
  '0020-trace-and-way-of-signing-in': traceAndWayOfSigningIn,
  '0021-times-of-states': timesOfStates,
  '0022-card-types': cardTypes,
  '0023-case-index': caseIndex,
  '0024-case-threads': caseThreads,
  '0025-snippets': snippets,
  '0026-snoozed-cases': snoozedCases,
  '0027-look-up': lookUp,
  '0028-activity': activity,
  '0029-saved-views': savedViews,
  '0030-audit-trail': auditTrail,
  '0031-news': news,
  '0032-statement-runs': statementRuns,
  '0033-news-of-threads': newsOfThreads,
  '0034-sessions-of-others': sessionsOfOthers,
  '0035-news-of-the-queue': newsOfTheQueue,
  '0036-news-of-open-changes': newsOfOpenChanges,
  '0037-command-traces': commandTraces,
  '0038-news-of-sessions': newsOfSessions,
  '0039-resumed-look-ups': resumedLookUps,
  '0040-effects-and-limits': effectsAndLimits,
  '0041-approvals': approvals,
  '0042-entered-references': enteredReferences,
  '0043-passkeys': passkeys,
  '0044-identity-of-bank-references': identityOfBankReferences,
  '0045-code-attempts': codeAttempts,
  '0046-removed-passkeys': removedPasskeys,
  '0047-statement-pauses': statementPauses,
  '0048-handled-changes': handledChanges,
  '0049-known-accounts': knownAccounts,
}

/** The names of all of them, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Brings a store up to date, in one transaction that waits for those of other processes. Throws when a migration fails; nothing of it stays. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('migrations'))`.execute(trx)
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('the store could not be migrated', { cause: error })
  })
}
