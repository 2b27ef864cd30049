// Runs on any Node version, so it is plain JavaScript without dependencies.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MIN = 24
const PINNED = `node-${process.platform}-${process.arch}`
const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'node_modules', '.prepared')

function installedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
}

function install() {
  const stamp = installedStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log('Installing dependencies; this happens once.')
  npm(process.execPath, 'ci', '--include=dev', '--loglevel=error')
  // Not every platform has one.
  if (existsSync(join(root, 'node_modules', PINNED))) {
    if (!suitsAllPackages(process.versions.node)) installOnPinnedNode()
    // npm 9 (Debian 12) does not link the pinned Node.
    if (!existsSync(join(root, 'node_modules', '.bin', 'node'))) npm(process.execPath, 'rebuild', PINNED)
  }
  writeFileSync(stampFile, stamp)
}

function npm(node, ...args) {
  const itself = process.env.npm_execpath
  const how = {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) },
  }
  const result = itself
    ? spawnSync(node, [itself, ...args], how)
    : spawnSync('npm', args, { ...how, shell: process.platform === 'win32' })
  if (result.status === 0) return
  console.error('The dependencies could not be installed. See npm’s output above.')
  process.exit(1)
}

/** npm silently skips optional packages that need a newer Node, and the build needs some of them. */
function suitsAllPackages(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
}

/** Needed, for example, on Debian 12 with Node 18. */
function installOnPinnedNode() {
  const folder = mkdtempSync(join(tmpdir(), 'pinned-node-'))
  try {
    const node = join(folder, basename(process.execPath))
    copyFileSync(join(root, 'node_modules', PINNED, 'bin', basename(node)), node)
    npm(node, 'ci', '--include=dev', '--loglevel=error')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** npm puts node_modules/.bin first on the path. */
function checkNode() {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const version = execFileSync('node', ['--version'], { env: { ...process.env, PATH: path }, encoding: 'utf8' }).trim()
  if (Number(version.slice(1).split('.')[0]) >= NODE_MIN) return
  console.error(`Node ${NODE_MIN} or newer is needed; this machine has ${version}. Install it from https://nodejs.org.`)
  process.exit(1)
}

install()
checkNode()
