import { z } from 'zod'
import { readJson } from '#lib/session/same-origin.ts'

/** All tabs of one browser together; more is nobody who works. */
const TOPICS_MAX = 300
const TOPIC_MAX_CHARS = 5_000

const topic = z.string().min(1).max(TOPIC_MAX_CHARS)
const asked = z.strictObject({
  topics: z.array(topic).max(TOPICS_MAX),
  again: z.array(topic).max(TOPICS_MAX).default([]),
  /** Of a browser that polls: the feed that it was given before. */
  id: z.uuid().nullable().default(null),
})

/** What a browser follows; null where this is not how it is asked for. */
export async function readNewsAsked(request: Request): Promise<z.infer<typeof asked> | null> {
  const body = asked.safeParse((await readJson(request))?.body)
  return body.success ? body.data : null
}

export const NOT_ASKED = 'This is not how news are asked for.'
export const STOPPING = 'The console is stopping'
