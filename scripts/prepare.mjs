// Runs before `npm start`, `npm test` and the like, on whatever Node the machine has: plain JavaScript, no dependency.
// Installs what is missing and makes sure that what runs next is Node 24 or newer.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NODE_MIN = 24
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const stampFile = join(root, 'node_modules', '.prepared')

function installedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
}

function install() {
  const stamp = installedStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log('Installing dependencies; this happens once.')
  const npm = process.env.npm_execpath
  const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm
    ? spawnSync(process.execPath, [npm, ...ci], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', ci, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0) {
    console.error('The dependencies could not be installed; what npm says is above.')
    process.exit(1)
  }
  writeFileSync(stampFile, stamp)
}

/** npm puts node_modules/.bin first on the path of its scripts; the `node` there is the pinned one. */
function checkNode() {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const version = execFileSync('node', ['--version'], { env: { ...process.env, PATH: path }, encoding: 'utf8' }).trim()
  if (Number(version.slice(1).split('.')[0]) >= NODE_MIN) return
  console.error(`Node ${NODE_MIN} or newer is needed; this machine has ${version}. Install it from https://nodejs.org.`)
  process.exit(1)
}

install()
checkNode()
