import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Code of every page: with another text in it, files of the build have other names. */
const CHANGED = 'components/frame/session-watch.tsx'
const [TEXT, OTHER_TEXT] = ['Reload the page when convenient.', 'Reload it when it suits you.']
const FOLDERS = ['app', 'components', 'lib', 'scripts']
const BUILD =
  "import('./scripts/build.ts').then(({ tryBuild }) => tryBuild()).then((built) => process.exit(built ? 0 : 1))"

export interface SecondBuild {
  readonly folder: string
  /** What the build calls itself. */
  readonly name: string
}

/** The console as it might be one change later, built in a folder of its own. It takes about a minute. */
export function makeSecondBuild(): SecondBuild {
  const folder = mkdtempSync(join(tmpdir(), 'console-second-build-'))
  const files = readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== '.git')
  for (const name of [...FOLDERS, ...files.map((entry) => entry.name)])
    cpSync(name, join(folder, name), { recursive: true })
  // Links take seconds less than copies, where both are on one disk.
  const packages = ['node_modules', join(folder, 'node_modules')]
  if (spawnSync('cp', ['-al', ...packages]).status !== 0) execFileSync('cp', ['-a', '-T', ...packages])
  const path = join(folder, CHANGED)
  const source = readFileSync(path, 'utf8')
  if (!source.includes(TEXT)) throw new Error(`${CHANGED} has not the text that the second build changes`)
  writeFileSync(path, source.replace(TEXT, OTHER_TEXT))
  execFileSync(process.execPath, ['--conditions=react-server', '-e', BUILD], { cwd: folder, stdio: 'ignore' })
  const { config } = JSON.parse(readFileSync(join(folder, '.next/required-server-files.json'), 'utf8'))
  return { folder, name: config.deploymentId }
}
