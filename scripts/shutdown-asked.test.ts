import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = `
  import { onStopAsked } from ${JSON.stringify(resolve('scripts/shutdown-asked.ts'))}
  onStopAsked(() => console.log('asked'))
  console.log(process.pid)
  setTimeout(() => process.exit(), 3_000)`

test('counts the end of npm after a signal as no second signal', async () => {
  const env = { NODE_ENV: 'production' as const, npm_lifecycle_event: 'start', PROGRAM, NODE: process.execPath }
  const shell = spawn('/bin/sh', ['-c', '"$NODE" --input-type=module -e "$PROGRAM"; true'], { env })
  onTestFinished(() => void shell.kill('SIGKILL'))
  let printed = ''
  const ended = new Promise((done) => shell.stdout.once('close', done))
  await new Promise<void>((done) =>
    shell.stdout.on('data', (data: Buffer) => {
      printed += data
      done()
    }),
  )
  process.kill(Number(printed), 'SIGTERM')
  shell.kill('SIGKILL')
  await ended
  expect(printed.match(/asked/g)).toHaveLength(1)
})
