import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { invalidField } from '#sandbox/http/problem.ts'

/** The contract's parser reads numbers as exact decimals. Controls use plain ones, so the body is converted back. */
export function readControl<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(request.body ?? {})))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidField(issue?.path.join('.') || 'body', issue?.message ?? 'is not valid')
}
