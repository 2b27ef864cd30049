import type { FastifyInstance } from 'fastify'
import { type Html, html, page } from '#sandbox/http/html.ts'
import type { World } from '#sandbox/world/world.ts'
import { type Json, type OpenApi, type Operation, openApiDocument } from './openapi.ts'

export function serveReference(app: FastifyInstance, world: World): void {
  const document = openApiDocument(world.baseUrl)
  const text = JSON.stringify(document)
  const read = referencePage(document)
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  app.get('/reference', async (_request, reply) => reply.type('text/html; charset=utf-8').send(read))
}

function referencePage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const resources = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))]
  return page(
    'Reference',
    html`
    <h1>Reference</h1>
    <p>Generated from the contract. As data: <a href="/openapi.json">/openapi.json</a>. Every refusal is a problem document.</p>
    ${resources.map(
      (resource) => html`
      <h2>${resource}</h2>
      ${operations.filter(({ operation }) => operation.tags[0] === resource).map(operationPart)}`,
    )}`,
  )
}

function operationPart({ method, path, operation }: { method: string; path: string; operation: Operation }): Html {
  const scope = operation['x-scope']
  const stepUp = operation['x-step-up']
  const bearer = (operation.security as readonly unknown[]).length > 0
  return html`
    <details id="${operation.operationId}">
      <summary><code>${method} ${path}</code></summary>
      <div class="table"><table>
        <tr><th>Token</th><td>${bearer ? 'bearer' : 'none'}</td></tr>
        ${typeof scope === 'string' ? html`<tr><th>Scope</th><td><code>${scope}</code></td></tr>` : html``}
        ${stepUp === 'never' ? html`` : html`<tr><th>Step-up</th><td>${String(stepUp)}</td></tr>`}
        ${parameterRows(operation)}
        ${schemaRow('Body', operation.requestBody)}
        ${schemaRow('Answer', (operation.responses as Json)['2XX'])}
      </table></div>
    </details>`
}

const parameterRows = (operation: Operation): Html[] =>
  ((operation.parameters ?? []) as readonly Json[]).map(
    (parameter) => html`<tr><th>${String(parameter.in)}</th><td><code>${String(parameter.name)}</code></td></tr>`,
  )

function schemaRow(label: string, part: unknown): Html {
  const content = (part as { content?: Json } | undefined)?.content?.['application/json'] as
    | { schema?: unknown }
    | undefined
  if (content?.schema === undefined) return html``
  return html`<tr><th>${label}</th><td><pre>${JSON.stringify(content.schema, null, 2)}</pre></td></tr>`
}
