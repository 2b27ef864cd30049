import type { Socket } from 'node:net'

/** What comes in place of the rest of an answer. `silence`: nothing, and the connection stays. */
export type AnswerHarm = 'reset' | 'end' | 'garble' | 'trickle' | 'endless' | 'silence'

/** With these the connection stays until the one who asked gives up, even where the service closes it with its answer. */
export const STAYS_OPEN: ReadonlySet<AnswerHarm> = new Set(['trickle', 'endless', 'silence'])

const TRICKLE_MS = 200
const ENDLESS = Buffer.alloc(64 * 1024, 'a')
const ENDLESS_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"data":{"referenceId":"'

/** `whenWhole`: an answer that trickles has come to its end all the same. */
export function spoil(near: Socket, how: AnswerHarm, rest: Buffer, whenWhole: () => void): void {
  if (how === 'reset') near.resetAndDestroy()
  else if (how === 'end') near.end()
  else if (how === 'garble') near.write(rest.map((byte) => byte ^ 0x5a))
  else if (how === 'trickle') trickle(near, [...rest], whenWhole)
  else if (how === 'endless') flood(near)
}

function trickle(near: Socket, bytes: readonly number[], whenWhole: () => void): void {
  let at = 0
  const timer = setInterval(() => {
    near.write(Buffer.of(bytes[at] ?? 0))
    at += 1
    if (at < bytes.length && !near.destroyed) return
    clearInterval(timer)
    whenWhole()
  }, TRICKLE_MS)
}

function flood(near: Socket): void {
  const more = (): void => {
    while (!near.destroyed && near.write(ENDLESS));
  }
  near.on('drain', more)
  near.write(ENDLESS_HEAD)
  more()
}
