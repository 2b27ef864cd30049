import { expect, test } from '../support/fixtures.ts'
import { signIn } from '../support/sign-in.ts'
import { FORMULAS, HIDDEN, SCRIPTS } from './corpora.ts'
import { plantTexts } from './hostile.ts'
import { expectGuarded, signInAs } from './http.ts'

const ADMIN = 'admin@example.com'
const ADDRESS = /\s(?:href|src|action|formaction|srcdoc|xlink:href)="\s*(?:javascript|vbscript|data:text)/i

/** A document without its scripts, whose texts a browser takes for data. */
const markupOf = (text: string): string => text.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '')

test('shows every text as text, with hidden characters visible', {
  tag: '@long',
}, async ({ playwright, programs, sandbox }) => {
  const { consoleUrl, sandboxUrl } = programs
  const admin = await signInAs(playwright.request, consoleUrl, ADMIN)
  const { paths } = await plantTexts(consoleUrl, sandboxUrl, admin)
  // What the service says of a refusal is a text like any other.
  const title = SCRIPTS.join(' ')
  await sandbox.fault({
    method: 'GET',
    path: '/api/v1/cards/{cardId}',
    effect: { status: 400, code: 'core::a::b', title },
  })
  let shown = 0
  for (const path of [...paths, '/cards/00000000-0000-4000-8000-0000000000c1']) {
    const answer = await admin.get(path)
    expectGuarded(answer, path)
    // A look-up by reference leads on to the page of what it names.
    expect(answer.status, path).toBe(path.startsWith('/transactions?reference=') ? 307 : 200)
    expect(answer.headers['content-type'], path).toMatch(/^text\/html/)
    const markup = markupOf(answer.text)
    for (const script of SCRIPTS.filter((text) => text.includes('<'))) expect(answer.text, path).not.toContain(script)
    expect(markup, path).not.toMatch(ADDRESS)
    expect(markup, path).not.toMatch(/\son\w+="[^"]*injected/)
    for (const character of ['\u202e', '\u2066', '\u200b', '\u061c']) {
      expect(markup.includes(character), `${path}: U+${character.charCodeAt(0).toString(16)}`).toBe(false)
    }
    if (markup.includes('window.injected')) shown += 1
  }
  // They are there to be read: a page that shows none of them proves nothing.
  expect(shown).toBeGreaterThan(40)
})

test('runs no hostile text in a browser', { tag: '@long' }, async ({
  page,
  playwright,
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl, sandboxUrl } = programs
  const admin = await signInAs(playwright.request, consoleUrl, ADMIN)
  const { paths, account } = await plantTexts(consoleUrl, sandboxUrl, admin)
  await signIn(page, ADMIN, '/')
  const met = paths.filter((path, at) => !/\?\w+=%|^\/(activity|transactions)\/./.test(path) || at % 5 === 0)
  for (const path of [...met, `/users/${account}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(await page.evaluate(() => 'injected' in window), path).toBe(false)
  }
})

interface Frame {
  readonly kind: string
  readonly text?: string
  readonly fileName?: string
}

const cellsOf = (csv: string): readonly string[] =>
  [...csv.replace('\ufeff', '').matchAll(/"((?:[^"]|"")*)"|([^,\r\n]+)/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replaceAll('""', '"'),
  )

test('no cell of an export is a formula, and the name of its file is a plain one', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox: _seeded,
}) => {
  const { consoleUrl, sandboxUrl } = programs
  const admin = await signInAs(playwright.request, consoleUrl, ADMIN)
  const { account } = await plantTexts(consoleUrl, sandboxUrl, admin)
  for (const path of [
    `/api/export/history?account=${account}`,
    '/api/export/activity',
    '/api/export/approvals?view=requested',
    '/api/export/cases',
  ]) {
    const answer = await admin.get(path)
    expectGuarded(answer, path)
    expect(answer.headers['content-type'], path).toMatch(/^application\/x-ndjson/)
    const frames = answer.text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Frame)
    expect(frames.at(-1)?.kind, path).toBe('end')
    expect(frames[0]?.fileName, path).toMatch(/^[\w.-]+\.csv$/)
    const cells = cellsOf(frames.map(({ text = '' }) => text).join(''))
    expect(
      cells.filter((cell) => /^[\s\p{Cc}\p{Cf}]*[=+@\uff1d-]/u.test(cell)),
      path,
    ).toEqual([])
    if (!path.includes('history')) continue
    for (const formula of FORMULAS) expect(cells, path).toContain(`'${formula}`)
    for (const text of HIDDEN)
      expect(
        cells.some((cell) => cell.includes(text.slice(1, 4))),
        text,
      ).toBe(true)
  }
})
