import { spawnSync } from 'node:child_process'

/** A user without rights, to run a program as; this user where that is not root. */
export function nobody(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout))
  return { uid: uid ?? 65_534, gid: gid ?? 65_534 }
}
