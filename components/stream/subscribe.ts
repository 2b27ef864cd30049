import type { TopicResult } from '#lib/stream/stream-event.ts'
import type { ConnectionState } from './event-stream-client.ts'
import type { Subscription, TabCoordinator } from './tab-coordinator.ts'

/** Lets the page load its own resources first. */
const SETTLED_MS = 1_500
const SCRIPT_AGAIN_MS = 5_000

/** Null until the script has loaded, and on the server. */
let coordinator: TabCoordinator | null = null
let loading = false
let timer: ReturnType<typeof setTimeout> | undefined
let owner = ''
let waiting: ((ready: TabCoordinator) => void)[] = []

function withCoordinator(use: (ready: TabCoordinator) => void, atOnce = false): void {
  if (coordinator !== null) {
    use(coordinator)
    return
  }
  waiting.push(use)
  if (atOnce) load()
  else timer ??= setTimeout(load, SETTLED_MS)
}

function load(): void {
  if (loading) return
  loading = true
  clearTimeout(timer)
  import('./tab-coordinator.ts').then(
    ({ startCoordinator }) => {
      coordinator = startCoordinator(owner)
      for (const use of waiting) use(coordinator)
      waiting = []
    },
    () => {
      loading = false
      timer = setTimeout(load, SCRIPT_AGAIN_MS)
    },
  )
}

export function setStreamOwner(actor: string): void {
  owner = actor
  if (coordinator !== null) coordinator.owner = actor
}

export interface SubscribeOptions extends Omit<Subscription, 'onResult'> {
  /** The page was rendered without this data, so load it at once. */
  readonly atOnce?: boolean
}

/** Calls `onResult` with the current value, then with each change or problem. `lib/topics.ts` lists the topics. */
export function subscribe<Value>(
  topic: string,
  onResult: (result: TopicResult<Value>) => void,
  { atOnce = false, ...options }: SubscribeOptions = {},
): () => void {
  let stopped = false
  let stop = () => {}
  withCoordinator((ready) => {
    if (stopped) return
    stop = ready.subscribe(topic, { ...options, onResult: (result) => onResult(result as TopicResult<Value>) })
  }, atOnce)
  return () => {
    stopped = true
    stop()
  }
}

export const refreshTopic = (topic: string): void => withCoordinator((ready) => ready.refresh(topic), true)

export const connectionState = (): ConnectionState => coordinator?.state ?? 'opening'
