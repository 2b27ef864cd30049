import 'server-only'
import { tellStop } from '#lib/config/at-stop.ts'
import { log } from '#lib/config/log.ts'
import { ownServer } from '#lib/http/own-server.ts'
import { countAnswers, stopListening } from '#lib/http/stop-listening.ts'
import { STOP_LIMITS, stopInOrder } from '#lib/http/stop-sequence.ts'
import { closeStore } from '#lib/store/store.ts'

/** What the door for changes does at the end of the process. */
interface DoorEnd {
  readonly finishChanges: () => Promise<unknown>
  readonly printHead: () => Promise<unknown>
}

/**
 * The one way in which the console's process ends, by whichever signal: what was asked is answered, what was sent is
 * written down, the journal's head is printed, the store is closed. The exit code is 0 when every change came to its end.
 */
export function heedStop({ finishChanges, printHead }: DoorEnd): void {
  const own = ownServer()
  if (own === undefined) return
  const { server, finish } = own
  const underWay = countAnswers(server)
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    const ended = await stopInOrder(
      {
        tell: tellStop,
        finishAnswers: () => stopListening(server, underWay).then(finish),
        cut: () => server.closeAllConnections(),
        finishChanges,
        last: [
          ['journal-end', printHead],
          ['store', closeStore],
        ],
        tooLate: (step) => log().warn({ event: 'stop', step }, 'this did not end in its time'),
      },
      STOP_LIMITS,
    )
    process.exit(ended ? 0 : 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  // The launcher holds this channel open; when it is gone, however it went, nobody is left to stop us.
  process.on('disconnect', () => void stop())
}
