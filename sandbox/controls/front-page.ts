import { html, page } from '#sandbox/http/html.ts'
import { emailOf, people, SEED_PASSWORD, userIdEndingIn } from '#sandbox/seed/people.ts'
import type { World } from '#sandbox/world/world.ts'

const SHOWN_MAX = 50

/** `GET /sandbox`: who can sign in, what waits for a confirmation, and what the controls are. */
export async function frontPage(world: World): Promise<string> {
  const queued = await world.db
    .selectFrom('ledger_row as row')
    .select(['row.reference_id', 'row.debit', 'row.to_account_id', 'row.created_at'])
    .where('row.state', '=', 'QUEUED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ledger_row as later')
            .select('later.row_id')
            .whereRef('later.reference_id', '=', 'row.reference_id')
            .whereRef('later.version', '>', 'row.version'),
        ),
      ),
    )
    .orderBy('row.created_at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  return page(
    'Sandbox',
    html`
    <h1>Sandbox</h1>
    <p>The whole wallet and payments service on one machine. Its clock says <code>${world.clock.now()}</code>.</p>
    <h2>Who can sign in</h2>
    <p>Everyone's password is <code>${SEED_PASSWORD}</code>.</p>
    <div class="table"><table>
      <tr><th>E-mail</th><th>User id</th><th>Is</th></tr>
      ${people.map(
        (person) =>
          html`<tr><td>${emailOf(person)}</td><td class="id">${userIdEndingIn(person.ending)}</td><td>${person.about}</td></tr>`,
      )}
    </table></div>
    <h2>Deposits waiting for a confirmation</h2>
    ${
      queued.length === 0
        ? html`<p>None. <code>POST /sandbox/reset</code> brings the seeded ones back.</p>`
        : html`<div class="table"><table>
      <tr><th>Reference</th><th>Amount</th><th>Holder</th><th>Announced</th></tr>
      ${queued.map(
        (row) =>
          html`<tr><td class="id">${row.reference_id}</td><td>${row.debit}</td><td class="id">${row.to_account_id}</td><td>${row.created_at}</td></tr>`,
      )}
    </table></div>`
    }
    <h2>Controls</h2>
    <div class="table"><table>${controls.map(
      ([call, does]) => html`<tr><td class="id">${call}</td><td>${does}</td></tr>`,
    )}</table></div>
    <h2>Faults</h2>
    <p><code>POST /sandbox/faults</code> with <code>{"method","path","times","effect"}</code>: the next requests that match meet the effect.</p>
    <div class="table"><table>${faultEffects.map(
      ([effect, does]) => html`<tr><td class="id">${effect}</td><td>${does}</td></tr>`,
    )}</table></div>`,
  )
}

const controls: readonly (readonly [string, string])[] = [
  ['GET /health', 'answers {"status":"ok"}'],
  ['POST /sandbox/reset', 'back to the seeded world; everyone is signed out'],
  ['GET /sandbox/clock', 'the ledger’s time'],
  ['POST /sandbox/clock {"advanceSeconds":86400}', 'moves the ledger’s time and settles what falls due'],
  ['GET /sandbox/balances/{userId}', 'total and available balance'],
  [
    'GET /sandbox/requests?after=0',
    'what arrived: sequence, method, path, status, user id, step-up, how the hub’s token came; no bodies',
  ],
  ['POST /sandbox/disputes {"referenceId","raisedByUserId","reason"}', 'raises a dispute; answers the case'],
  ['POST /sandbox/hub/drop {"downMs":5000}', 'cuts every hub connection; the hub answers 503 for so long'],
  ['POST /sandbox/tokens/expire {"userId","refresh"}', 'a user’s access tokens end now, and with refresh all of them'],
  ['GET, POST, DELETE /sandbox/faults', 'faults in waiting: list, add, clear'],
]

const faultEffects: readonly (readonly [string, string])[] = [
  ['{"status":503,"code":"…","title":"…","retryAfter":2}', 'a problem document instead of the operation'],
  ['{"delayMs":3000}', 'the operation, late'],
  ['"drop-before"', 'the connection is cut, nothing is done'],
  ['"drop-after"', 'the operation is done, then the connection is cut'],
  ['"accept-202"', 'an operation that may be slow answers 202 and goes on'],
  ['"garble"', 'the operation is done, the success that says so does not parse'],
]
