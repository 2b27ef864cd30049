import { readFileSync } from 'node:fs'

/** A promise of `SECURITY.md`, and the files of tests that prove it. */
export interface SecurityPromise {
  readonly promise: string
  readonly files: readonly string[]
}

/** The rows of the document's table of promises. */
export function securityPromises(): readonly SecurityPromise[] {
  const [, after = ''] = readFileSync('SECURITY.md', 'utf8').split('## Promises\n')
  const [table = ''] = after.split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  return rows.map((line) => {
    const [, promise = '', tests = ''] = line.split('|').map((cell) => cell.trim())
    return { promise, files: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file) }
  })
}
