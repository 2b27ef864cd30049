import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { compressBuiltFiles } from './built-files.ts'
import { onStopAsked } from './shutdown-asked.ts'

const STAMP = '.next/built-from'
const SOURCES = [
  '{app,components,lib}/**/*.{ts,tsx,css,svg}',
  'next.config.mjs',
  '{tailwind.config,proxy,instrumentation,scripts/built-files}.ts',
  '{postcss.config.mjs,package-lock.json,tsconfig.json}',
]

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES).sort()) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Skips the build when no source has changed. False when it fails. */
export async function tryBuild(): Promise<boolean> {
  const hash = sourceHash()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return true
  process.stdout.write('Building the console; this takes about half a minute.\n')
  const next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The same on every machine. A page uses it to notice a new version of the console.
    env: {
      ...process.env,
      NEXT_DEPLOYMENT_ID: hash.slice(0, 16),
      NEXT_TELEMETRY_DISABLED: '1',
      ...(existsSync('.next') ? {} : { BUILD_CACHE: 'off' }),
    },
  })
  const goOn = onStopAsked(() => {
    next.kill('SIGTERM')
    process.exit(1)
  })
  let output = ''
  for (const stream of [next.stdout, next.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const code = await new Promise<number | null>((done) => next.once('close', done))
  goOn()
  if (code !== 0) {
    process.stderr.write(`${output}\nThe build failed.\n`)
    return false
  }
  await compressBuiltFiles()
  writeFileSync(STAMP, hash)
  return true
}

export async function buildIfStale(): Promise<void> {
  if (!(await tryBuild())) process.exit(1)
}
