import { z } from 'zod'
import { readBody, refuse } from '../answer.ts'

/** For all tabs of one browser together; far more than an operator uses. */
const TOPICS_MAX = 300
const TOPIC_MAX_CHARS = 5_000

const topic = z.string().min(1).max(TOPIC_MAX_CHARS)
const topicsRequest = z.strictObject({
  topics: z.array(topic).max(TOPICS_MAX),
  again: z.array(topic).max(TOPICS_MAX).default([]),
  /** The feed id from the previous answer, sent by a polling browser. */
  id: z.uuid().nullable().default(null),
})

export const readTopicsRequest = (request: Request) => readBody(request, topicsRequest)

export const refuseMalformed = (): Response => refuse(400, 'The list of topics is malformed.')
