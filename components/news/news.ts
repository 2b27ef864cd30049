import type { Told } from '#lib/news/news-event.ts'
import type { Following, NewsTab } from './news-tab.ts'
import type { Way } from './way.ts'

/** The page loads all of its own first. */
const SETTLED_MS = 1_500
const SCRIPT_AGAIN_MS = 5_000

/** Null until its script is there. In a browser only: the server follows nothing. */
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
    // The console is away.
    () => {
      loading = false
      timer = setTimeout(load, SCRIPT_AGAIN_MS)
    },
  )
}

/** Whose page this is. */
export function newsFor(actor: string): void {
  owner = actor
  if (tab !== null) tab.owner = actor
}

interface HowToFollow extends Omit<Following, 'tell'> {
  /** Nothing of it came with the page: it does not wait until the page has settled. */
  readonly atOnce?: boolean
}

/**
 * The one way in which a page is kept current: hears a topic as it is now, then as it changes, and why it cannot be known.
 * `lib/topics.ts` names all topics. Answers how to stop.
 */
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

/** Asks for a topic at once. */
export const askAgain = (topic: string): void => withTab((ready) => ready.askAgain(topic), true)

export const newsWay = (): Way => tab?.way ?? 'opening'
