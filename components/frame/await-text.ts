import { askConsole } from '#components/service/ask-console.ts'
import type { AnnouncedWrite } from '#lib/session/unsent-text-place.ts'

const LOOK_EVERY_MS = 1_000
const LOOKS_MOST = 30

/** Null if the text has not arrived or the request failed. */
export async function lookForText(place: string, { page, number }: AnnouncedWrite): Promise<string | null> {
  const query = new URLSearchParams({ place, page, ...(number === null ? {} : { number: String(number) }) })
  const answer = await askConsole(`/api/session/drafts?${query}`)
  if (answer?.status !== 200) return null
  const { arrived, text } = answer.body as { arrived: boolean; text: string }
  return arrived ? text : null
}

/** Polls for 30 seconds; `onEnd` gets null if the text did not arrive. */
export function awaitText(place: string, write: AnnouncedWrite, onEnd: (text: string | null) => void): () => void {
  let looks = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const look = async () => {
    looks += 1
    const text = await lookForText(place, write)
    if (stopped) return
    if (text === null && looks < LOOKS_MOST) timer = setTimeout(look, LOOK_EVERY_MS)
    else onEnd(text)
  }
  timer = setTimeout(look, LOOK_EVERY_MS)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
