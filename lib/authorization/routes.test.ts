import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commandKinds } from '#lib/kind-names.ts'
import { type AuditKindName, auditKinds } from '#lib/session/audit-kinds.ts'
import { type Entry, entryOf, handlers, pages, templateOf, topicEntries } from './routes.ts'
import { auditRules, changes, OVERSIGHT } from './table.ts'

/** `app/(console)/cards/[cardId]/page.tsx` is `/cards/[cardId]`. */
const routeOf = (file: string): string =>
  `/${file
    .split('/')
    .slice(1, -1)
    .filter((part) => !part.startsWith('('))
    .join('/')}`

const built = (pattern: string) =>
  globSync(pattern)
    .map((found) => found.replaceAll('\\', '/'))
    .map((file) => ({ file, route: routeOf(file), text: readFileSync(file, 'utf8') }))

const methodsIn = (text: string): string[] =>
  [...text.matchAll(/(?:export (?:async )?(?:function|const) |\bas )(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g)].map(
    ([, method = '']) => method,
  )

const pageFiles = built('app/**/page.tsx')
const handlerFiles = built('app/**/route.ts')

/** The rows of one table of the document. */
const rowsUnder = (heading: string): string[][] =>
  (readFileSync('docs/access.md', 'utf8').split(`## ${heading}\n`)[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .flatMap(([before = '', names = '', ...cells]) => names.split(', ').map((name) => [before, name, ...cells]))

const documented = rowsUnder('Routes').flatMap(([, route = '', request = '', entry = '', ...cells]) => {
  const [method = '', ...kinds] = request.split(/,? /)
  const methods = kinds.length === 0 ? [method] : kinds.map((kind) => `${method} ${kind}`)
  return methods.map((method) => ({ route, method, entry, cells: cells.slice(0, -1) }))
})

const sorted = (lines: Iterable<string>) => [...new Set(lines)].sort()

describe('every route of the build has its entry, and no entry is without a route', () => {
  test('pages', () => {
    expect(pageFiles.length).toBeGreaterThan(15)
    expect(sorted(Object.keys(pages))).toEqual(sorted(pageFiles.map(({ route }) => route)))
  })

  test('handlers, with their methods', () => {
    const there = handlerFiles.flatMap(({ route, text }) => methodsIn(text).map((method) => `${method} ${route}`))
    expect(there.length).toBeGreaterThan(20)
    const named = Object.entries(handlers).flatMap(([route, methods]) =>
      Object.keys(methods).map((method) => `${method} ${route}`),
    )
    expect(sorted(named)).toEqual(sorted(there))
  })

  test('an address or a method that is not named has none', () => {
    for (const [method, path] of [
      ['PATCH', '/api/commands'],
      ['GET', '/api/other'],
      ['GET', '/api/commands/'],
      ['GET', '/api/commands/1/2'],
      ['constructor', '/api/commands'],
      ['GET', '/constructor'],
      ['POST', '/api/deposits/%73tatements'],
    ] as const) {
      expect(entryOf(method, path), `${method} ${path}`).toBeNull()
    }
    expect(entryOf('POST', '/api/deposits/statements/1/lines/2')).toBe('statements.write')
    expect(entryOf('HEAD', '/api/commands/1')).toBe('change')
  })
})

test('an address has the template of its own route, and one that is no route has none', () => {
  const templates = [...Object.keys(pages), ...Object.keys(handlers)]
  for (const template of templates) expect(templateOf(template.replace(/\[[^\]]+\]/g, 'a')), template).toBe(template)
  for (const path of ['/other', '/users/a/b/c', '/constructor', '/cards/']) expect(templateOf(path), path).toBeNull()
})

describe('the guards take the entries', () => {
  const guarded = (entry: Entry): boolean => entry !== 'public'

  test('a page asks for what its entry says', () => {
    for (const { route, text } of pageFiles) {
      const entry = pages[route] ?? 'public'
      const thing = entry.includes('.')
      const loaded = /^export default accessPage\(\{[^}]*?\bentry: '([^']+)'/m.exec(text)?.[1]
      if (loaded !== undefined) {
        expect(loaded, route).toBe(entry)
        continue
      }
      expect(text.includes('requireSession()'), route).toBe(guarded(entry))
      expect(/ refusal = await refusedFrom\(session, '([^']+)'\)/.exec(text)?.[1] ?? null, route).toBe(
        thing ? entry : null,
      )
      if (thing) expect(text, route).toContain('<RefusedPanel refusal={refusal} />')
    }
  })

  test('accessPage asks for the session and for its entry before it reads', () => {
    const [, loader = ''] = readFileSync('app/(console)/page-reads.tsx', 'utf8').split('export const accessPage')
    const steps = [
      'await requireSession()',
      "entry === 'signed-in' ? null : await refusedFrom(session, entry)",
      'if (refusal === null) return await read(',
      '<RefusedPanel refusal={refusal} />',
    ].map((step) => loader.indexOf(step))
    expect(steps).not.toContain(-1)
    expect(steps).toEqual([...steps].sort((one, other) => one - other))
  })

  test('a handler that is not public is served by a guard that looks its entry up', () => {
    for (const { route, text } of handlerFiles) {
      const entries = Object.values(handlers[route] ?? {})
      expect(/\bserve(Session|Command|Body|Form)\(/.test(text), route).toBe(entries.every(guarded))
      expect(new Set(entries.map(guarded)).size, route).toBe(1)
    }
  })
})

describe('docs/access.md', () => {
  test('names every route and method, with its entry, and each kind of change', () => {
    const named = [
      ...Object.entries(pages).map(([route, entry]) => `${route} page ${entry}`),
      ...Object.entries(handlers).flatMap(([route, methods]) =>
        Object.entries(methods).map(([method, entry]) => `${route} ${method} ${entry}`),
      ),
    ]
    const rows = documented.map(({ route, method, entry }) => `${route} ${method.split(' ')[0]} ${entry}`)
    expect(sorted(rows)).toEqual(sorted(named))
    const kinds = documented.flatMap(({ route, method }) =>
      route === '/api/commands' && method.startsWith('POST ') ? [method.slice('POST '.length)] : [],
    )
    expect(sorted(kinds)).toEqual(sorted(commandKinds))
    expect(sorted(rowsUnder('Changes of others').map(([, kind = '']) => kind))).toEqual(sorted(commandKinds))
  })

  test('names every topic that a page can follow, with its entry', () => {
    const rows = rowsUnder('Topics').map(([, topic = '', entry = '']) => `${topic} ${entry}`)
    expect(rows).toEqual(Object.entries(topicEntries).map(([topic, entry]) => `${topic} ${entry}`))
  })

  test('says of everybody what they get, and of holders that they are refused wherever a session is asked for', () => {
    for (const { route, method, entry, cells } of documented) {
      expect(cells, `${method} ${route}`).toHaveLength(6)
      expect(cells.at(-1), `${method} ${route}`).toBe(entry === 'public' ? 'in' : 'refused')
      for (const cell of cells.slice(0, -1)) expect(['in', '403'], `${method} ${route}`).toContain(cell)
    }
  })
})

test('docs/access.md says of each kind of the audit trail who sees that of others', () => {
  const held: Readonly<Record<string, readonly string[]>> = {
    operator: ['core:transactions:confirm'],
    arbitrator: ['core:disputes:resolve'],
    newcomer: ['core:disputes:resolve'],
    admin: OVERSIGHT,
    viewer: [],
  }
  const sees = (kind: AuditKindName, scopes: readonly string[]): string => {
    const rule = auditRules[kind]
    if (rule === 'own' || rule === 'administration') return 'no'
    const opens =
      rule === 'oversight'
        ? OVERSIGHT.every((scope) => scopes.includes(scope))
        : rule.some((scope) => scopes.includes(scope))
    return opens ? 'yes' : 'no'
  }
  const expected = auditKinds.map((kind) => [kind, ...Object.values(held).map((scopes) => sees(kind, scopes))])
  expect(sorted(rowsUnder('The audit trail of others').map((row) => row.slice(1, -1).join(' ')))).toEqual(
    sorted(expected.map((row) => row.join(' '))),
  )
})

test('the console’s own kinds are those that the service has no endpoint for', () => {
  const own = commandKinds.filter((kind) => changes[kind].madeBy === 'console')
  const ofRecords = (kind: string) =>
    kind.startsWith('case.') ||
    kind.startsWith('deposit.hand-') ||
    kind.startsWith('assignee.') ||
    kind.startsWith('category.') ||
    kind.startsWith('snippet.') ||
    kind.startsWith('statement.')
  expect(own.filter((kind) => !ofRecords(kind))).toEqual([
    'card.register',
    'deposit.settle',
    'dispute.settle',
    'passkey.add',
    'passkey.remove',
    'access.refused',
    'evidence.export',
    'change.erase',
  ])
  expect(commandKinds.filter(ofRecords).every((kind) => own.includes(kind))).toBe(true)
})
