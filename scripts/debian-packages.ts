import { globSync } from 'node:fs'

/** `files`: a file of each package. Prints the missing packages. */
export function hasPackages(files: Readonly<Record<string, string>>): boolean {
  const missing = Object.entries(files).flatMap(([name, file]) => (globSync(file).length > 0 ? [] : [name]))
  if (missing.length === 0) return true
  process.stderr.write(`This needs packages of Debian that are not here: apt-get install ${missing.join(' ')}\n`)
  return false
}
