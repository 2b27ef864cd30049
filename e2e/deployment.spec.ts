import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { confirm, fillNewCard, shownDigits } from './support/card-tasks.ts'
import { CONSOLE_AWAY, expect, test } from './support/fixtures.ts'
import { nobody } from './support/nobody.ts'
import { freePort } from './support/ports.ts'
import { Program, type Programs } from './support/programs.ts'
import { ANA, PASSWORD } from './support/sandbox-controls.ts'
import { camtFile, confirmImport } from './support/statement-tasks.ts'
import { composer, connection, openCase } from './support/workbench.ts'

const NEW_VERSION = 'A new version of the console is available'

let folder = ''

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-package-'))
  // This process must go on meanwhile: connections that end unseen fail at their next use.
  const strict = ['--import', 'data:text/javascript,process.umask(0o077)']
  await promisify(execFile)(process.execPath, [...strict, '--conditions=react-server', 'scripts/package.ts', folder])
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Packaged {
  readonly url: string
  readonly program: Program
}

async function packaged({ consoleEnvironment }: Programs): Promise<Packaged> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const program = new Program(
    ['scripts/console.ts'],
    { ...consoleEnvironment, NEXTAUTH_URL: url, PORT: String(port) },
    `http://127.0.0.1:${port}/api/ready`,
    // They may read the package and write nothing in it.
    { cwd: folder, ...nobody() },
  )
  await program.start()
  return { url, program }
}

async function signInAt(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

test('packages only what runs, and runs from a read-only folder', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  for (const name of [
    'vitest',
    '@playwright/test',
    'typescript',
    '@biomejs/biome',
    '@next/swc-linux-x64-gnu',
    'sharp',
    '@img',
  ])
    expect(globSync(join(folder, 'node_modules', name))).toEqual([])
  expect(globSync('{app,components,e2e,sandbox}', { cwd: folder })).toEqual([])
  const { url, program } = await packaged(programs)
  try {
    await signInAt(page, url, 'admin@example.com')
    await page.goto(`${url}/deposits`)
    const styles = await page.request.get(
      `${url}${await page.locator('link[rel=stylesheet]').first().getAttribute('href')}`,
      {
        headers: { 'accept-encoding': 'br' },
      },
    )
    expect(styles.headers()['content-encoding']).toBe('br')
    // The file is read by a thread, and a case is followed over the hub: both load what no page imports.
    await page.goto(`${url}/deposits/statements`)
    const field = page.getByLabel('Choose a statement')
    await expect(field).toBeEnabled()
    await field.setInputFiles(camtFile([{ reference: 'unknown', amount: '10.00' }]))
    await confirmImport(page)
    await page.goto(`${url}/disputes/${await sandbox.raiseCase()}`)
    await expect(connection(page, 'Live')).toBeVisible()
    // A page that outlives its console asks for it.
    await page.goto('about:blank')
  } finally {
    expect(await program.stop()).toBe(0)
  }
})

test('asks a tab of an old build to reload', {
  tag: '@long',
}, async ({ page, programs, sandbox, expectedErrors }) => {
  expectedErrors.push(CONSOLE_AWAY, /status of 404/, /MIME type/)
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  const { url, program } = await packaged(programs)
  try {
    await page.goto(`${url}/disputes/${caseId}`)
    await expect(connection(page, 'Live')).toBeVisible()
    await expect(page.getByText(NEW_VERSION)).toHaveCount(0)
    await composer(page).fill('Typed under the old build')
    const list = await page.context().newPage()
    await list.goto(`${url}/disputes`)

    await program.stop()
    await program.start({ NEXT_DEPLOYMENT_ID: 'another-build' })
    await expect(page.getByText(NEW_VERSION)).toBeVisible()
    await expect(composer(page)).toHaveValue('Typed under the old build')
    await page.getByRole('button', { name: 'Later' }).click()
    await expect(page.getByText(NEW_VERSION)).toHaveCount(0)

    // A link leads to a page of the new build, as a whole.
    await expect(list.getByText(NEW_VERSION)).toBeVisible()
    await list.getByRole('link', { name: 'Users', exact: true }).click()
    await expect(list.getByRole('heading', { name: 'Users', exact: true })).toBeVisible()
    await expect(list.getByText(NEW_VERSION)).toHaveCount(0)

    // What the page has not loaded yet is not there any more.
    await page.route('**/_next/static/chunks/**', (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await page.getByRole('button', { name: 'Answer by' }).click()
    await expect(page.getByText('This part of the page could not be loaded;')).toBeVisible()
    await expect(composer(page)).toHaveValue('Typed under the old build')
  } finally {
    await program.stop()
  }
})

test('a new build reloads no page by itself', { tag: '@long' }, async ({ page, programs, expectedErrors }) => {
  expectedErrors.push(CONSOLE_AWAY)
  const { url, program } = await packaged(programs)
  try {
    await signInAt(page, url, 'operator@example.com')
    await page.goto(`${url}/cards/issue`)
    await fillNewCard(page, { userId: ANA })
    await program.stop()
    await program.start({ NEXT_DEPLOYMENT_ID: 'another-build' })
    await expect(page.getByText(NEW_VERSION)).toBeVisible()
    await page.getByRole('button', { name: 'Later' }).click()

    await page.getByRole('button', { name: /^Issue a card/ }).click()
    await confirm(page, /^Issue a card/)
    await shownDigits(page)
    await expect(page.getByText(NEW_VERSION)).toHaveCount(0)
    await page.getByRole('button', { name: 'I have handed it over' }).click()
    await expect(page.getByText(NEW_VERSION)).toBeVisible()
    await expect(page.getByText('Handed over.')).toBeVisible()
  } finally {
    await program.stop()
  }
})
