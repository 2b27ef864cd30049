import type { Told } from '#lib/news/news-event.ts'
import type { Following, NewsTab } from './news-tab.ts'
import type { Way } from './way.ts'

/** Lets the page load its own resources first. */
const SETTLED_MS = 1_500
const SCRIPT_AGAIN_MS = 5_000

/** Null until the script has loaded, and on the server. */
let tab: NewsTab | null = null
let loading = false
let timer: ReturnType<typeof setTimeout> | undefined
let owner = ''
let waiting: ((ready: NewsTab) => void)[] = []

function withTab(use: (ready: NewsTab) => void, atOnce = false): void {
  if (tab !== null) {
    use(tab)
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
  import('./begin-tab.ts').then(
    ({ beginTab }) => {
      tab = beginTab(owner)
      for (const use of waiting) use(tab)
      waiting = []
    },
    () => {
      loading = false
      timer = setTimeout(load, SCRIPT_AGAIN_MS)
    },
  )
}

export function newsFor(actor: string): void {
  owner = actor
  if (tab !== null) tab.owner = actor
}

interface HowToFollow extends Omit<Following, 'tell'> {
  /** The page was rendered without this data, so load it at once. */
  readonly atOnce?: boolean
}

/** Calls `tell` with the current value, then with each change or problem. `lib/topics.ts` lists the topics. */
export function followTopic<Value>(
  topic: string,
  tell: (told: Told<Value>) => void,
  { atOnce = false, ...how }: HowToFollow = {},
): () => void {
  let stopped = false
  let stop = () => {}
  withTab((ready) => {
    if (!stopped) stop = ready.follow(topic, { ...how, tell: (told) => tell(told as Told<Value>) })
  }, atOnce)
  return () => {
    stopped = true
    stop()
  }
}

export const askAgain = (topic: string): void => withTab((ready) => ready.askAgain(topic), true)

export const newsWay = (): Way => tab?.way ?? 'opening'
