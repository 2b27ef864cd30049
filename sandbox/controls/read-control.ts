import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { invalidField } from '#sandbox/http/problem.ts'

/** Converts the parser's exact decimals back to plain numbers. */
export function readControl<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(request.body ?? {})))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidField(issue?.path.join('.') || 'body', issue?.message ?? 'is not valid')
}
