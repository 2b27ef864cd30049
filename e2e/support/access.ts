import { readFileSync } from 'node:fs'

/** What somebody gets: `docs/access.md` says what the words mean. */
export type Got = 'in' | '403' | 'refused'

/** One thing to ask for, with what each person gets. */
export interface Call {
  readonly route: string
  /** `page`, or an HTTP method. */
  readonly method: string
  /** Of a change that is asked for; empty for everything else. */
  readonly kind: string
  readonly by: ReadonlyMap<string, string>
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''))

/** The head and the rows of one table of the document. */
function tableUnder(heading: string): { readonly head: string[]; readonly rows: string[][] } {
  const part = readFileSync('docs/access.md', 'utf8').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const [head = [], ...rows] = part
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
    .map(cellsOf)
  return { head, rows }
}

/** By person: what they get at sign-in, by each way. */
export function signInOf(person: string): { readonly sso: string; readonly password: string } {
  const [, sso = '', password = ''] = tableUnder('Sign-in').rows.find(([name]) => name === person) ?? []
  return { sso, password }
}

export const people: readonly string[] = tableUnder('Sign-in').rows.map(([name = '']) => name)

export const everyCall: readonly Call[] = (() => {
  const { head, rows } = tableUnder('Routes')
  return rows.flatMap((cells) => {
    const [routes = '', call = ''] = cells
    const [method = '', ...named] = call.split(/,? /)
    const kinds = named.length === 0 ? [''] : named
    const by = new Map(head.map((name, at) => [name, cells[at] ?? '']))
    return routes.split(', ').flatMap((route) => kinds.map((kind) => ({ route, method, kind, by })))
  })
})()

/** `/(console)/cards/[cardId]/page` of the build's manifest, as the document writes it: `/cards/[cardId]`. */
const routeOfEntry = (entry: string): string =>
  `/${entry
    .split('/')
    .slice(1, -1)
    .filter((part) => !part.startsWith('('))
    .join('/')}`

/** Of the build itself: every page and every handler that it answers with. */
export function builtRoutes(): { readonly pages: readonly string[]; readonly handlers: readonly string[] } {
  const manifest = JSON.parse(readFileSync('.next/server/app-paths-manifest.json', 'utf8')) as Record<string, string>
  // The framework's own pages for what is not found, and files with a fixed name.
  const own = Object.keys(manifest).filter((entry) => !entry.startsWith('/_') && !/\.\w+\/route$/.test(entry))
  const ending = (end: string) => own.filter((entry) => entry.endsWith(end)).map(routeOfEntry)
  return { pages: ending('/page').sort(), handlers: ending('/route').sort() }
}
