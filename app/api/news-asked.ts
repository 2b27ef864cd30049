import { z } from 'zod'
import { readJson } from '#lib/session/request-guards.ts'

/** For all tabs of one browser together; far more than an operator uses. */
const TOPICS_MAX = 300
const TOPIC_MAX_CHARS = 5_000

const topic = z.string().min(1).max(TOPIC_MAX_CHARS)
const asked = z.strictObject({
  topics: z.array(topic).max(TOPICS_MAX),
  again: z.array(topic).max(TOPICS_MAX).default([]),
  /** The feed id from the previous answer, sent by a polling browser. */
  id: z.uuid().nullable().default(null),
})

/** Null when the request is malformed. */
export async function readNewsAsked(request: Request): Promise<z.infer<typeof asked> | null> {
  const body = asked.safeParse((await readJson(request))?.body)
  return body.success ? body.data : null
}

export const NOT_ASKED = 'This is not how news are asked for.'
export const STOPPING = 'The console is stopping'
