import { readFileSync } from 'node:fs'

export function securityPromises() {
  const [, after = ''] = readFileSync('SECURITY.md', 'utf8').split('## Promises\n')
  const [table = ''] = after.split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  return rows.map((line) => {
    const [, promise = '', tests = ''] = line.split('|').map((cell) => cell.trim())
    return { promise, files: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file) }
  })
}
