import { expect } from '../support/fixtures.ts'
import { test as base } from '../support/own-policy.ts'
import { PASSWORD } from '../support/sandbox-controls.ts'
import { camtFile } from '../support/statement-tasks.ts'
import {
  askFor,
  decide,
  draft,
  drafted,
  outcomeIn,
  people,
  REASON,
  requestApproval,
  send,
  type Waiting,
} from './approving.ts'
import { type Answer, ask, HANDLE, importFile, JSON_BODY, ownHeaders, type SignedIn, signedInAt } from './http.ts'
import { withPassword } from './sign-in-form.ts'

// Ways around an approval, as `docs/approvals.md` lists them. Amounts are those that no other test confirms.

type As = (email: string) => Promise<SignedIn>

const test = base.extend<{ readonly at: (rules: readonly object[]) => Promise<{ url: string; as: As }> }>({
  at: async ({ playwright, programs, under }, use) => {
    await use(async (rules) => {
      const { url } = await under(JSON.stringify({ rules }))
      return { url, as: await people(playwright.request, programs.consoleUrl, url) }
    })
  },
})

const from = (amountAtLeast: string, approval: object) => ({
  kind: 'deposit.confirm',
  when: { amountAtLeast },
  approval,
})
const ONE = from('5000.00', { by: 1 })

test('the author approves after signing in the other way: refused', { tag: '@long' }, async ({
  at,
  programs,
  sandbox,
}) => {
  const { url, as } = await at([ONE])
  const waiting = await requestApproval(await as('operator'), sandbox, '5701')
  const answer = await withPassword(programs.consoleUrl, 'operator@example.com', PASSWORD)
  const cookie = answer.setCookies.find((line) => line.startsWith(`${HANDLE}=`))
  const byPassword = signedInAt(url, /=([\w-]{86})/.exec(cookie ?? '')?.[1] ?? '')
  expect((await byPassword.get('/')).status).toBe(200)
  expect((await decide(byPassword, waiting)).status).toBe(403)
  expect(outcomeIn(await send(byPassword, waiting))).toBe('approval')
  await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('QUEUED')
})

test('where two are asked for, one is too few, and one person counts once', { tag: '@long' }, async ({
  at,
  sandbox,
}) => {
  const { as } = await at([from('5000.00', { by: 2 })])
  const [maker, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(maker, sandbox, '5702')
  expect((await decide(admin, waiting)).status).toBe(200)
  for (const again of [admin, await as('admin')]) {
    expect((await decide(again, waiting)).text).toContain('You have already decided')
  }
  expect(outcomeIn(await send(maker, waiting))).toBe('approval')
  await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('QUEUED')
})

test('who approves lacks the scope that the rule names: refused', { tag: '@long' }, async ({ at, sandbox }) => {
  const { as } = await at([from('5000.00', { by: 1, scope: 'core:disputes:resolve' })])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(admin, sandbox, '5703')
  expect((await decide(operator, waiting)).status).toBe(403)
  expect(outcomeIn(await send(admin, waiting))).toBe('approval')
})

test('who receives the money approves: refused', async ({ at, sandbox }) => {
  const { as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(operator, sandbox, '5704', 'admin@example.com')
  expect((await decide(admin, waiting)).text).toContain('You are a party to this change')
  expect(outcomeIn(await send(operator, waiting))).toBe('approval')
})

test('approved, and sent after its time: it ends', async ({ at, programs, sandbox }) => {
  const { as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const [approved, late] = [
    await requestApproval(operator, sandbox, '5705'),
    await requestApproval(operator, sandbox, '5706'),
  ]
  await decide(admin, approved)
  // Requests are never altered: as a replica no trigger counts.
  await programs.postgres?.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE approval_request SET expires_at = expires_at - 28801; COMMIT`)
  expect(outcomeIn(await send(operator, approved))).toBe('refused')
  await decide(admin, late)
  expect(outcomeIn(await send(operator, late))).toBe('refused')
  for (const { reference } of [approved, late]) await expect(sandbox.stateOf(reference)).resolves.toBe('QUEUED')
})

test('approved under one policy, and sent under another or under none: it ends', { tag: '@long' }, async ({
  at,
  programs,
  sandbox,
}) => {
  const first = await at([ONE])
  const second = await at([ONE, { kind: 'card.issue', limit: { count: 3 } }])
  const [operator, admin] = [await first.as('operator'), await first.as('admin')]
  const atOthers = [await second.as('operator'), signedInAt(programs.consoleUrl, operator.handle)]
  for (const [index, other] of atOthers.entries()) {
    const waiting = await requestApproval(operator, sandbox, String(5707 + index))
    await decide(admin, waiting)
    expect(outcomeIn(await send(other, waiting))).toBe('refused')
    await expect(sandbox.stateOf(waiting.reference)).resolves.toBe('QUEUED')
  }
})

test('what has ended is not approved, and what was declined is not sent', async ({ at, sandbox }) => {
  const { as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const [cancelled, declined] = [
    await requestApproval(operator, sandbox, '5709'),
    await requestApproval(operator, sandbox, '5710'),
  ]
  await operator.send('DELETE', `/api/commands/${cancelled.id}`, undefined)
  expect((await decide(admin, cancelled)).text).toContain('Yours was not recorded')
  await decide(admin, declined, false)
  expect((await decide(admin, declined)).text).toContain('Yours was not recorded')
  expect(outcomeIn(await send(operator, cancelled))).toBe('cancelled')
  expect(outcomeIn(await send(operator, declined))).toBe('refused')
  for (const { reference } of [cancelled, declined]) {
    await expect(sandbox.stateOf(reference)).resolves.toBe('QUEUED')
  }
})

test('a decision by who is not signed in, by a read, or too large: none', async ({ at, sandbox }) => {
  const { url, as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(operator, sandbox, '5711')
  const path = `/api/commands/${waiting.id}/decision`
  const body = JSON.stringify({ approves: true, effect: waiting.effect, reason: '' })
  const holder = { ...ownHeaders(url), ...JSON_BODY, cookie: `${HANDLE}=${'A'.repeat(86)}` }
  expect((await ask(url, { method: 'POST', path, headers: holder, body })).status).toBe(401)
  expect((await admin.get(path)).status).toBe(405)
  const large = JSON.stringify({ approves: true, effect: waiting.effect, reason: 'x'.repeat(10_000_000) })
  const tooLarge = await ask(url, { method: 'POST', path, headers: { ...admin.headers, ...JSON_BODY }, body: large })
    .then(({ status }) => status)
    .catch(() => 413)
  expect(tooLarge).toBe(413)
  expect(outcomeIn(await send(operator, waiting))).toBe('approval')
})

/** Imports a statement; answers its id. */
function importOf(by: SignedIn, url: string, entries: Parameters<typeof camtFile>[0]): Promise<string> {
  const { name, buffer } = camtFile(entries)
  return importFile(url, by, { name, content: buffer.toString() })
}

/** A line's confirmation, once the line was looked up. */
async function draftOfLine(by: SignedIn, statement: string, number: number): Promise<{ id: string; effect: string }> {
  let answer: Answer | undefined
  await expect
    .poll(async () => {
      answer = await by.send('POST', `/api/deposits/statements/${statement}/lines/${number}/confirmation`, {})
      return answer.status
    })
    .toBe(200)
  return (JSON.parse(answer?.text ?? '') as { draft: { id: string; effect: string } }).draft
}

const edit = (by: SignedIn, statement: string, act: object): Promise<Answer> =>
  by.send('POST', `/api/deposits/statements/${statement}/lines/1`, act)

test('refuses approval by anyone who entered a reference', {
  tag: '@long',
}, async ({ at, sandbox }) => {
  const { url, as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const amounts = ['5712', '5713', '5714']
  const hide = [
    async () => {},
    async (statement: string) => await edit(operator, statement, { act: 'reference', reference: 'DEP-NONE' }),
    async (statement: string) => await operator.send('DELETE', `/api/deposits/statements/${statement}`, undefined),
  ]
  for (const [index, amount] of amounts.entries()) {
    const reference = await sandbox.announceDeposit('ana@example.com', amount)
    const statement = await importOf(operator, url, [{ reference: '', amount: `${amount}.00`, text: 'top-up' }])
    expect((await edit(admin, statement, { act: 'reference', reference })).status).toBe(200)
    await hide[index]?.(statement)
    const waiting: Waiting = { ...(await draft(operator, reference, amount)), reference }
    await askFor(operator, waiting)
    expect((await decide(admin, waiting)).text, amount).toContain('You entered data of this change')
    expect(outcomeIn(await send(operator, waiting))).toBe('approval')
  }
})

test('lets no run and no line edit past an approval', {
  tag: '@long',
}, async ({ at, sandbox }) => {
  const { url, as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const [small, large] = [
    await sandbox.announceDeposit('ana@example.com', '57'),
    await sandbox.announceDeposit('ana@example.com', '5715'),
  ]
  const statement = await importOf(operator, url, [
    { reference: large, amount: '5715.00' },
    { reference: small, amount: '57.00' },
  ])
  const alone = await draftOfLine(operator, statement, 1)
  expect(outcomeIn(await send(operator, alone))).toBe('refused')
  expect((await edit(operator, statement, { act: 'look' })).status).toBe(200)
  const waiting = { ...(await draftOfLine(operator, statement, 1)), reference: large }
  await askFor(operator, waiting)
  for (const by of [operator, admin]) expect((await edit(by, statement, { act: 'look' })).status).toBe(409)
  expect((await operator.send('DELETE', `/api/deposits/statements/${statement}`, undefined)).status).toBe(409)
  await operator.send('DELETE', `/api/commands/${waiting.id}`, undefined)

  const page = await operator.get(`/deposits/statements/${statement}`)
  // As the document's script has it, in which quotes are escaped.
  const [, seal] = /\\"seal\\":\\"([0-9a-f]{32})/.exec(page.text) ?? []
  const run = await operator.send('POST', `/api/deposits/statements/${statement}/work`, { work: 'confirm', seal })
  expect(run.status).toBe(200)
  await expect.poll(() => sandbox.stateOf(small)).toBe('PROCESSING')
  await expect(sandbox.stateOf(large)).resolves.toBe('QUEUED')
})

test('counts an approval once, for its own change', async ({ at, sandbox }) => {
  const { as } = await at([from('5000.00', { by: 2 })])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const [one, other] = [
    await requestApproval(operator, sandbox, '5716'),
    await requestApproval(operator, sandbox, '5717'),
  ]
  await Promise.all([decide(admin, one), decide(admin, one), decide(admin, one)])
  expect((await decide(admin, { id: other.id, effect: one.effect })).status).toBe(409)
  for (const waiting of [one, other]) expect(outcomeIn(await send(operator, waiting))).toBe('approval')
  const never = await drafted(operator, sandbox, '5718')
  expect((await decide(admin, never)).status).toBe(404)
})

test('of eight requests for one deposit, one waits', { tag: '@long' }, async ({ at, sandbox }) => {
  const { as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const first = await drafted(operator, sandbox, '5721')
  const others = await Promise.all(
    Array.from({ length: 7 }, (_, n) => draft(n % 2 === 0 ? admin : operator, first.reference, '5721')),
  )
  const asking = [first, ...others].map(({ id }, n) =>
    (n % 2 === 1 ? admin : operator).send('POST', `/api/commands/${id}/approval`, REASON),
  )
  const ends = (await Promise.all(asking)).map(outcomeIn).toSorted()
  expect(ends).toEqual(['approval', ...Array.from({ length: 7 }, () => 'refused')])
  const params = { referenceId: first.reference, bankReference: 'ANOTHER', statementAmount: '5721' }
  for (const by of [operator, admin]) {
    const answer = await by.send('POST', '/api/commands', { kind: 'deposit.confirm', params })
    expect(JSON.parse(answer.text)).toMatchObject({ ok: false, heldBy: expect.any(String) })
  }
})

test('approves nothing that moved, whoever moved it', { tag: '@long' }, async ({ at, sandbox }) => {
  const { as } = await at([ONE])
  const [operator, admin] = [await as('operator'), await as('admin')]
  const waiting = await requestApproval(operator, sandbox, '5722')
  await sandbox.confirmElsewhere(waiting.reference)
  const [one, other] = await Promise.all([decide(admin, waiting), decide(admin, waiting)])
  expect([outcomeIn(one), outcomeIn(other)]).toEqual(['changed', 'changed'])
  expect(outcomeIn(await send(operator, waiting))).toBe('changed')
})

test('lets no message pass between approval and sending', { tag: '@long' }, async ({ at, sandbox }) => {
  const { as } = await at([{ kind: 'dispute.resolve', approval: { by: 1, reread: true } }])
  const [author, admin] = [await as('arbitrator'), await as('admin')]
  const referenceId = await sandbox.payInEscrow()
  const caseId = await sandbox.raiseCase(referenceId)
  const say = (text: string) => sandbox.postMessage(caseId, 'ana@example.com', text)
  await say('Where is it?')
  const latestMessageId = (await sandbox.messagesOf(caseId)).at(-1)?.id
  const params = { caseId, referenceId, decision: 'refund', reason: 'It never came.', latestMessageId }
  const drafted = await author.send('POST', '/api/commands', { kind: 'dispute.resolve', params })
  const waiting = (JSON.parse(drafted.text) as { draft: Pick<Waiting, 'id' | 'effect'> }).draft
  const path = `/api/commands/${waiting.id}`
  await askFor(author, waiting)
  await decide(admin, waiting)
  const sendRead = async (acknowledged: string) => await author.send('POST', path, { acknowledged })
  const approve = async (by: SignedIn, factsMark: string) =>
    (await by.send('POST', `${path}/decision`, { approves: true, effect: waiting.effect, reason: '', factsMark }))
      .status
  const changedFactsNow = async () => {
    const { command } = JSON.parse((await author.get(path)).text) as {
      command: { outcome: { changedFacts: { mark: string } } }
    }
    return command.outcome.changedFacts.mark
  }

  await Promise.all([
    say('It came.'),
    say('All is well.'),
    say('Forget it.'),
    send(author, waiting),
    send(author, waiting),
  ])
  const old = await changedFactsNow()
  await say('One more.')
  const mark = await changedFactsNow()
  expect(mark).not.toBe(old)
  expect(outcomeIn(await sendRead(mark))).toBe('approval')
  expect(await approve(author, mark)).toBe(403)
  expect(await approve(admin, old)).toBe(409)
  expect(outcomeIn(await sendRead(mark))).toBe('approval')
  expect(await approve(admin, mark)).toBe(200)
  for (const unread of [send(author, waiting), sendRead(old)]) expect(outcomeIn(await unread)).toBe('approval')
  expect(outcomeIn(await sendRead(mark))).toBe('step-up')
})
