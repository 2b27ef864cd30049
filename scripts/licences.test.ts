import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const OPERATORS = new Set(['AND', 'OR', 'WITH'])

interface Package {
  readonly dev?: boolean
  readonly license?: string
}

const readJson = <Shape>(...path: string[]): Shape => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8')) as Shape

/** The lock file names no licence for some packages; what is installed of them does. Those of other machines are not installed. */
function licenceOf(path: string, { license }: Package): string | undefined {
  if (license !== undefined || !existsSync(join(ROOT, path))) return license
  return readJson<Package>(path, 'package.json').license ?? 'none'
}

/** `A AND B OR C` names three. */
const namesIn = (licence: string): readonly string[] =>
  (licence.match(/[\w.-]+/g) ?? []).filter((word) => !OPERATORS.has(word))

/** The tables of `docs/dependencies.md`, whose first column is a licence in backticks. */
const allowed = new Set(
  readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8')
    .split('## Licences')[1]
    ?.match(/(?<=^\| `)[^`]+(?=`)/gm),
)

const packages = Object.entries(readJson<{ packages: Record<string, Package> }>('package-lock.json').packages).flatMap(
  ([path, found]) => {
    const licence = path === '' ? undefined : licenceOf(path, found)
    return licence === undefined ? [] : [{ path, licence }]
  },
)

test('every package that is installed here, for tests too, has a licence that docs/dependencies.md allows', () => {
  expect(packages.filter(({ licence }) => !namesIn(licence).every((name) => allowed.has(name)))).toEqual([])
})

test('docs/dependencies.md allows no licence that no package has', () => {
  const used = new Set(packages.flatMap(({ licence }) => namesIn(licence)))
  expect([...allowed].filter((licence) => !used.has(licence))).toEqual([])
})
