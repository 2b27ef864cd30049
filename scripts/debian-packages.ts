import { globSync } from 'node:fs'

export const missingPackages = (files: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(files).flatMap(([name, file]) => (globSync(file).length > 0 ? [] : [name]))

export function hasPackages(files: Readonly<Record<string, string>>): boolean {
  const missing = missingPackages(files)
  if (missing.length === 0) return true
  process.stderr.write(`This needs packages of Debian that are not here: apt-get install ${missing.join(' ')}\n`)
  return false
}
