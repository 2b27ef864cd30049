import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

test('a process that is stopped prints the journal’s end before it exits, once, and exits as it would have', async () => {
  const args = ['--conditions=react-server', 'lib/testing/stopping-process.ts']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (data: Buffer) => {
    said += data
    if (String(data).includes('ready')) child.kill('SIGTERM')
  })
  const code = await new Promise((done) => child.once('exit', done))
  expect(code).toBe(143)
  const ends = said.split('\n').filter((line) => line.includes('"journal-end"'))
  expect(ends.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ sequence: 0, mac: '' })])
})
