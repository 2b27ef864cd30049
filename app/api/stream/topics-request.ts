import { z } from 'zod'

/** For all tabs of one browser together; far more than an operator uses. */
const TOPICS_MAX = 300
const TOPIC_MAX_CHARS = 5_000

const topic = z.string().min(1).max(TOPIC_MAX_CHARS)
export const topicsRequest = z.strictObject({
  topics: z.array(topic).max(TOPICS_MAX),
  again: z.array(topic).max(TOPICS_MAX).default([]),
  /** The feed id from the previous answer, sent by a polling browser. */
  id: z.uuid().nullable().default(null),
})

export const MALFORMED = 'The list of topics is malformed.'
