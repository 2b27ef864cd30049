import { sql } from 'kysely'
import { type Html, html, page } from '#sandbox/http/html.ts'
import { emailOf, people, SEED_PASSWORD, userIdEndingIn } from '#sandbox/seed/people.ts'
import type { Db } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { type Control, controlList, faultEffects, type Sample } from './control-list.ts'

export async function frontPage(world: World): Promise<string> {
  const queued = await queuedDeposits(world.db)
  const sample = await sampleOf(world.db)
  return page(
    'Sandbox',
    html`
    <h1>Sandbox</h1>
    <p>The wallet and payments service on one machine. Its time: <code>${world.clock.now()}</code>.</p>
    <ul class="links">
      <li><a href="/sandbox/authenticator">Authenticator</a> shows the current codes.</li>
      <li><a href="/reference">Reference</a> has every endpoint, to read.</li>
      <li><a href="/openapi.json">openapi.json</a> has the same as data.</li>
    </ul>
    <h2>Who can sign in</h2>
    <p>Everyone's password is <code>${SEED_PASSWORD}</code>.</p>
    ${table(
      ['E-mail', 'User id', 'Is'],
      people.map((person) => [emailOf(person), code(userIdEndingIn(person.ending)), person.about]),
    )}
    <h2>Deposits waiting for a confirmation</h2>
    ${
      queued.length === 0
        ? html`<p>None. <code>POST /sandbox/reset</code> restores the seeded ones.</p>`
        : table(
            ['Reference', 'Amount', 'Holder', 'Announced', 'Note'],
            queued.map((row) => [
              code(row.reference_id),
              row.debit,
              row.email,
              row.created_at.slice(0, 16).replace('T', ' '),
              row.note,
            ]),
          )
    }
    <h2>Controls</h2>
    ${controlList(sample).map((control) => controlPart(world.baseUrl, control))}
    ${controlPart(world.baseUrl, { method: 'POST', path: '/sandbox/webhooks/kyc', does: KYC_DOES }, kycExample(world.baseUrl))}
    <h2>Faults</h2>
    <p>A fault has a <code>method</code>, a <code>path</code> as the reference writes it or as it is sent, how many <code>times</code>
      it happens, and an <code>effect</code>:</p>
    ${table(
      ['Effect', 'What happens'],
      faultEffects.map(([effect, does]) => [code(JSON.stringify(effect)), does]),
    )}`,
  )
}

const code = (text: string): Html => html`<code>${text}</code>`

const table = (heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html => html`
  <div class="table"><table>
    <tr>${heads.map((head) => html`<th>${head}</th>`)}</tr>
    ${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
  </table></div>`

function controlPart(baseUrl: string, control: Control, example = exampleOf(baseUrl, control)): Html {
  const [path = ''] = control.path.replace(/[0-9a-f-]{36}$/, '{userId}').split('?')
  return html`
    <h3><code>${control.method} ${path}</code></h3>
    <p>${control.does}</p>
    <pre>${example}</pre>`
}

export function exampleOf(baseUrl: string, { method, path, body }: Control): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const sent = body === undefined ? '' : ` \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`
  return `curl${verb} '${baseUrl}${path}'${sent}`
}

const KYC_DOES =
  'The KYC partner’s result: APPROVED, REJECTED or PENDING_REVIEW. Each delivery is signed, and taken once.'

const kycExample = (baseUrl: string): string => `T=$(date +%s)
B='${JSON.stringify({ id: 'delivery-1', userId: userIdEndingIn('011'), status: 'APPROVED' })}'
curl -X POST '${baseUrl}/sandbox/webhooks/kyc' \\
  -H 'content-type: application/json' -d "$B" \\
  -H "x-kyc-signature: t=$T,v1=$(printf '%s.%s' "$T" "$B" | openssl dgst -sha256 -hmac sandbox-kyc-secret -r | cut -d' ' -f1)"`

const SHOWN_MAX = 50

const queuedDeposits = (db: Db) =>
  db
    .selectFrom('ledger_row as row')
    .innerJoin('app_user', 'app_user.id', 'row.to_account_id')
    .select(['row.reference_id', 'row.debit', 'row.note', 'row.created_at', 'app_user.email'])
    .where('row.state', '=', 'QUEUED')
    .where('row.transaction_type', '=', 'DEPOSIT')
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

export async function sampleOf(db: Db): Promise<Sample> {
  const { rows } = await sql<Sample>`
    SELECT latest.reference_id AS "referenceId", latest.from_account_id AS "senderId" FROM ledger_due
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_row WHERE reference_id = ledger_due.reference_id ORDER BY version DESC LIMIT 1
    ) latest
    WHERE latest.transaction_type = 'P2P' AND latest.state = 'PROCESSING'
    ORDER BY ledger_due.due_at DESC LIMIT 1`.execute(db)
  return rows[0] ?? { referenceId: 'P2P~…', senderId: userIdEndingIn('011') }
}
