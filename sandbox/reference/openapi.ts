import { z } from 'zod'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { PROBLEM_CONTENT_TYPE, STEP_UP_HEADER } from '#lib/contract/problem.ts'
import { p2pRequest, purchaseRequest, withdrawRequest } from '#sandbox/transactions/spend-requests.ts'

export type Json = Record<string, unknown>

export interface Operation extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
}

export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: Json
  readonly servers: readonly Json[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Json
}

/** Request bodies that the interface leaves open. */
const chosenBodies: Readonly<Record<string, z.ZodType>> = {
  'transactions.p2p': p2pRequest,
  'transactions.purchase': purchaseRequest,
  'transactions.withdraw': withdrawRequest,
}

export function openApiDocument(baseUrl: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [resource, rows] of Object.entries(endpoints)) {
    for (const [name, row] of Object.entries(rows as Record<string, Endpoint>)) {
      const path = paths[row.path] ?? {}
      paths[row.path] = { ...path, [row.method.toLowerCase()]: operationOf(resource, name, row) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Wallet and payments service (sandbox)', version: 'v1' },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: problemSchema },
    },
  }
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'traceId'],
  properties: {
    type: { type: 'string', description: 'urn:ocs:error: followed by the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    traceId: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
} as const

function operationOf(resource: string, name: string, row: Endpoint): Operation {
  const operationId = `${resource}.${name}`
  const body = chosenBodies[operationId] ?? row.body
  const parameters = [...pathParameters(row.path), ...queryParameters(row.query), ...stepUpParameter(row)]
  return {
    operationId,
    tags: [resource],
    security: row.open ? [] : [{ bearer: [] }],
    ...(row.scope === null ? {} : { 'x-scope': row.scope }),
    'x-step-up': row.stepUp,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(schemaOf(body)) } }),
    responses: {
      '2XX': {
        description: 'Success',
        content: jsonContent({ type: 'object', required: ['data'], properties: { data: schemaOf(row.data) } }),
      },
      default: {
        description: 'A refusal or a fault',
        content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } })

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return []
  const { properties = {} } = schemaOf(query) as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
}

const stepUpParameter = ({ stepUp }: Endpoint): Json[] =>
  stepUp === 'never' ? [] : [{ name: STEP_UP_HEADER, in: 'header', required: false, schema: { type: 'string' } }]

/** `input`: what the client sends, before transforms. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => withoutAnything(jsonSchema),
  }) as Json
  return rest
}

/** Lists accept any item, so that one unreadable row does not hide the others. This removes that option. */
function withoutAnything(schema: { anyOf?: unknown }): void {
  if (!Array.isArray(schema.anyOf)) return
  const meant = schema.anyOf.filter((option: object) => Object.keys(option).length > 0)
  if (meant.length === schema.anyOf.length || meant.length === 0) return
  if (meant.length > 1) {
    schema.anyOf = meant
    return
  }
  delete schema.anyOf
  Object.assign(schema, meant[0])
}
