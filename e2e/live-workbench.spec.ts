import type { Page } from '@playwright/test'
import { CONSOLE_AWAY, expect, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import { expectSameThroughCuts } from './support/hub-cuts.ts'
import type { Programs } from './support/programs.ts'
import { ANA, ARBITRATOR_ID } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import {
  ARBITRATOR,
  bodiesShown,
  composer,
  connection,
  liveDot,
  markDocument,
  onTheWay,
  openCase,
  said,
  thread,
} from './support/workbench.ts'

const anaAt = ({ sandboxUrl }: Programs): Promise<Holder> => Holder.signIn(sandboxUrl, 'ana@example.com', ANA)

/** A page of a test's browser believes to have the focus all the time, so it is not told by itself. */
async function turnTo(page: Page): Promise<void> {
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
}

test('two who watch one case while the hub is cut again and again end with the service’s thread', {
  tag: '@long',
}, async ({ browser, page, programs, sandbox }) => {
  const downMs = [0, 1_000, 150, 700]
  await expectSameThroughCuts({ browser, page, programs, sandbox, downMs })
})

test('two who watch one case through fifty cuts of the hub end with the service’s thread', { tag: '@long' }, async ({
  browser,
  page,
  programs,
  sandbox,
}) => {
  test.setTimeout(900_000)
  // Of 0 to 5 seconds, short and long ones mixed.
  const downMs = Array.from({ length: 50 }, (_, at) => (at * 1_700) % 5_001)
  await expectSameThroughCuts({ browser, page, programs, sandbox, downMs })
})

test('checks every five seconds when the hub refuses', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const ana = await anaAt(programs)
  await sandbox.fault({
    method: 'CALL',
    path: '/hubs/disputes/JoinCase',
    times: 1_000,
    effect: { status: 403, code: 'core::disputes::no', title: 'No.' },
  })
  await signIn(page, ARBITRATOR, `/disputes/${caseId}`)
  await expect(connection(page, 'Checking every 5 s')).toBeVisible()
  for (const body of ['Is it read?', 'And again?']) {
    await ana.write(caseId, body)
    await expect(said(page, body)).toBeVisible()
    await expect(connection(page, 'Live')).toHaveCount(0)
  }
  await composer(page).fill('Every five seconds.')
  await composer(page).press('Control+Enter')
  await expect(said(page, 'Every five seconds.')).toHaveCount(1)
  await expect(onTheWay(page)).toHaveCount(0)
  await expect(connection(page, 'Checking every 5 s')).toBeVisible()
  expect(await bodiesShown(page)).toEqual(await sandbox.bodiesOf(caseId))
  await sandbox.clearFaults()
})

test('an access token that ends in the middle is renewed, and the thread goes on with nothing lost', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const ana = await anaAt(programs)
  await openCase(page, caseId)
  const sameDocument = await markDocument(page)
  const attempts = (await sandbox.hubTokens()).length
  await Promise.all([sandbox.expireTokens(ARBITRATOR_ID), ana.write(caseId, 'In that very moment.')])
  await expect.poll(async () => (await sandbox.hubTokens()).length).toBeGreaterThan(attempts)
  await ana.write(caseId, 'And after it.')
  await expect(said(page, 'And after it.')).toBeVisible()
  await expect(connection(page, 'Live')).toBeVisible()
  await ana.write(caseId, 'Live again.')
  // Far sooner than the next reading: the hub tells of it.
  await expect(said(page, 'Live again.')).toBeVisible()
  expect(await bodiesShown(page)).toEqual(await sandbox.bodiesOf(caseId))
  expect(await sameDocument()).toBe(true)
})

test('keeps an open page live over a restart', {
  tag: '@long',
}, async ({ page, programs, sandbox, expectedErrors }) => {
  expectedErrors.push(CONSOLE_AWAY)
  const caseId = await sandbox.raiseCase()
  const ana = await anaAt(programs)
  await openCase(page, caseId)
  const sameDocument = await markDocument(page)
  await programs.console.stop()
  await expect(liveDot(page, 'Reconnecting')).toBeVisible()
  await ana.write(caseId, 'Is anybody there?')
  await composer(page).fill('One moment, please.')
  await composer(page).press('Control+Enter')
  await expect(thread(page).getByText('· not known yet')).toBeVisible()
  await page.keyboard.press('m')
  await page.keyboard.type('What I was about to')

  await programs.console.start()
  await expect(connection(page, 'Live')).toBeVisible()
  await expect(onTheWay(page)).toHaveCount(0)
  await expect(composer(page)).toHaveValue('What I was about to')
  await expect(composer(page)).toBeFocused()
  const written = await sandbox.bodiesOf(caseId)
  expect(written.slice(1)).toEqual(['Is anybody there?', 'One moment, please.'])
  await expect.poll(() => bodiesShown(page)).toEqual(written)
  expect(await sameDocument()).toBe(true)
  // And it is live in truth.
  await ana.write(caseId, 'There you are.')
  await expect(said(page, 'There you are.')).toBeVisible()
})

test('seven windows of one browser on seven cases are all usable, and so is the eighth page', { tag: '@long' }, async ({
  page,
  context,
  programs,
  sandbox,
}) => {
  const ana = await anaAt(programs)
  const cases: string[] = []
  for (let count = 0; count < 7; count += 1) cases.push(await sandbox.raiseCase())
  const [first = '', ...others] = cases
  await openCase(page, first)
  const windows = [page]
  for (const caseId of others) {
    const opened = await context.newPage()
    await opened.goto(`/disputes/${caseId}`)
    await expect(connection(opened, 'Live')).toBeVisible()
    windows.push(opened)
  }
  // All of them are, at once, and stay it.
  for (const each of windows) await expect(connection(each, 'Live')).toBeVisible()
  const eighth = await context.newPage()
  await eighth.goto('/deposits')
  await expect(eighth.getByRole('heading', { name: 'Deposits', level: 1 })).toBeVisible()

  for (const [at, each] of windows.entries()) {
    const caseId = cases[at] ?? ''
    await ana.write(caseId, `Meanwhile, in case ${at}`)
    await turnTo(each)
    await expect(connection(each, 'Live')).toBeVisible()
    await expect(said(each, `Meanwhile, in case ${at}`)).toBeVisible()
    await composer(each).fill(`Read, in case ${at}`)
    await composer(each).press('Control+Enter')
    await expect(said(each, `Read, in case ${at}`)).toHaveCount(1)
    await expect(onTheWay(each)).toHaveCount(0)
    expect(await bodiesShown(each)).toEqual(await sandbox.bodiesOf(caseId))
  }
})

test('a message sent while the hub is away stands there once, also after the hub is back', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  const ana = await anaAt(programs)
  await openCase(page, caseId)
  await sandbox.dropHub(8_000)
  await expect(connection(page, 'Live')).toHaveCount(0)
  await composer(page).fill('Can you hear me?')
  await composer(page).press('Control+Enter')
  await ana.write(caseId, 'Yes.')
  await expect(said(page, 'Yes.')).toBeVisible()
  await expect(said(page, 'Can you hear me?')).toHaveCount(1)
  await expect(connection(page, 'Live')).toBeVisible()
  await ana.write(caseId, 'Loud and clear.')
  await expect(said(page, 'Loud and clear.')).toBeVisible()
  await expect(onTheWay(page)).toHaveCount(0)
  expect(await bodiesShown(page)).toEqual(await sandbox.bodiesOf(caseId))
  expect(await sandbox.arrived('POST', `/api/v1/Dispute/${caseId}/messages`)).toBe(3)
})

test('messages that arrive do not disturb whoever is writing one', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  const ana = await anaAt(programs)
  await openCase(page, caseId)
  await composer(page).click()
  for (const [at, words] of ['Please ', 'post ', 'the ', 'receipt'].entries()) {
    await Promise.all([page.keyboard.type(words), ana.write(caseId, `Interruption ${at}`)])
    await expect(said(page, `Interruption ${at}`)).toBeAttached()
    await expect(composer(page)).toBeFocused()
  }
  await expect(composer(page)).toHaveValue('Please post the receipt')
  // Where one was writing, too: not at the end.
  await page.keyboard.press('Home')
  await ana.write(caseId, 'One more')
  await expect(said(page, 'One more')).toBeAttached()
  await page.keyboard.type('> ')
  await expect(composer(page)).toHaveValue('> Please post the receipt')
  await expect(thread(page).getByText('New', { exact: true })).toHaveCount(1)
})
