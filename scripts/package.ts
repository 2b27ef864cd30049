import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { buildIfStale } from './build.ts'

const FOLDER = 'package'
const PROGRAMS = [
  'scripts/console.ts',
  'scripts/doctor.ts',
  'scripts/audit-verify.ts',
  'scripts/payer-memory-erase.ts',
  'scripts/policy-rehearse.ts',
  'scripts/statement-read.ts',
  'tools/verify-dossier.mjs',
  'tools/witness.mjs',
  // The worker thread that parses bank files.
  'lib/statements/file/read-worker.ts',
]
const NOT_OF_A_BUILD = ['build', 'cache', 'dev', 'diagnostics', 'trace', 'trace-build', 'turbopack', 'types']
const NOT_RUN = ['node_modules/next/dist/{server/dev,compiled/webpack}/**', 'node_modules/{@next/swc*,typescript}/**']

/** Next's image optimiser: no page uses it, and `/_next/image` is not served. */
const isNeverAsked = (file: string): boolean => /^node_modules\/(?:sharp|@img)\//.test(file)

interface Trace {
  readonly fileList: ReadonlySet<string>
}

const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft') as {
  nodeFileTrace: (files: readonly string[], options: object) => Promise<Trace>
}

const root = process.cwd()

function ofTheBuild(): readonly string[] {
  const lists = ['.next/next-server.js.nft.json', ...globSync('.next/server/**/*.nft.json')]
  return lists.flatMap((list) =>
    (JSON.parse(readFileSync(list, 'utf8')) as { readonly files: readonly string[] }).files.map((file) =>
      relative(root, resolve(dirname(list), file)),
    ),
  )
}

/** The tracer does not know how SignalR loads its dependencies. */
const HUB_CLIENT = 'node_modules/@microsoft/signalr/dist/cjs/index.js'

/** Rewrites source so that the tracer can parse it. */
async function readable(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  if (path.endsWith('.ts')) return stripTypeScriptTypes(text)
  return path.includes('/@microsoft/signalr/') ? text.replaceAll('requireFunc(', 'require(') : text
}

async function ofThePrograms(): Promise<readonly string[]> {
  const { fileList } = await nodeFileTrace(
    [...PROGRAMS, HUB_CLIENT].map((program) => resolve(program)),
    { base: root, conditions: ['node', 'react-server'], ignore: NOT_RUN, readFile: readable },
  )
  return [...fileList]
}

function copy(file: string, folder: string): void {
  const to = join(folder, file)
  mkdirSync(dirname(to), { recursive: true })
  // The build uses symbolic links.
  cpSync(file, to, { verbatimSymlinks: true, recursive: true })
}

function writeManifest(folder: string): void {
  const { name, version, type, imports, scripts: own } = JSON.parse(readFileSync('package.json', 'utf8'))
  const ofOwn = ['doctor', 'audit:verify', 'payer-memory:erase', 'policy:rehearse', 'witness', 'statement:read']
  const scripts = {
    start: 'bin/node scripts/console.ts',
    ...Object.fromEntries(ofOwn.map((script) => [script, `bin/${own[script]}`])),
  }
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type, imports, scripts }, null, 2)}\n`,
  )
}

/** `npm run package [-- FOLDER]`: the built console, its programs and Node. The running console only reads it. */
async function makePackage(folder: string): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name another folder.`)
  await buildIfStale()
  for (const name of readdirSync('.next')) if (!NOT_OF_A_BUILD.includes(name)) copy(join('.next', name), folder)
  const packages = ofTheBuild().filter((file) => file.startsWith('node_modules/'))
  for (const file of [...(await ofThePrograms()), ...packages]) if (!isNeverAsked(file)) copy(file, folder)
  for (const part of ['deploy/nginx', 'deploy/systemd']) copy(part, folder)
  writeManifest(folder)
  mkdirSync(join(folder, 'bin'))
  copyFileSync(process.execPath, join(folder, 'bin/node'))
  // Another user runs it than built it.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder])
  process.stdout.write(`The console is packaged in ${folder}.\n`)
}

try {
  await makePackage(process.argv[2] ?? FOLDER)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
