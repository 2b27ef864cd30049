import { mkdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join, relative, resolve } from 'node:path'

/** The operating system's limit, minus the closing zero byte. */
const SOCKET_PATH_MAX_BYTES = 103

class FolderInUse extends Error {
  constructor(folder: string) {
    super(`${folder} is in use by another process. Stop that one first: an embedded database has one owner.`)
    this.name = 'FolderInUse'
  }
}

/** The operating system closes the unix socket however the process dies. Throws {@link FolderInUse}. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = socketPath(folder)
  let server = await listen(path)
  if (server === null) {
    if (await answers(path)) throw new FolderInUse(folder)
    rmSync(path, { force: true })
    server = await listen(path)
    if (server === null) throw new FolderInUse(folder)
  }
  const held = server
  if (process.platform !== 'win32') await assertStillOurs(path, folder, held)
  held.unref()
  return () => new Promise((done) => held.close(() => done()))
}

/** Two processes may replace the same dead socket; the one whose file was replaced gives way. */
async function assertStillOurs(path: string, folder: string, server: Server): Promise<void> {
  const inode = statSync(path).ino
  await new Promise((done) => setTimeout(done, 30))
  let now: number | null = null
  try {
    now = statSync(path).ino
  } catch {
    now = null
  }
  if (now === inode) return
  await new Promise((done) => server.close(done))
  throw new FolderInUse(folder)
}

function socketPath(folder: string): string {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\console-${Buffer.from(resolve(folder)).toString('base64url').slice(-200)}`
  }
  const absolute = join(resolve(folder), 'lock')
  const fromHere = relative(process.cwd(), absolute)
  const shorter = fromHere.length < absolute.length ? fromHere : absolute
  if (Buffer.byteLength(shorter) > SOCKET_PATH_MAX_BYTES) {
    throw new Error(`the path of ${absolute} is too long for a lock: at most ${SOCKET_PATH_MAX_BYTES} bytes`)
  }
  return shorter
}

function listen(path: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    server.listen(path, () => done(server))
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
