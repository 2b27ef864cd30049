import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode } from 'kysely'

/** How the database carries out the queries that `read` makes: the text of their plans. */
export async function plansOf<Tables>(
  db: Kysely<Tables>,
  read: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<string> {
  const queries: RootOperationNode[] = []
  const noting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await read(db.withPlugin(noting))
  const plans: string[] = []
  for (const node of queries) {
    const { sql: text, parameters } = db.getExecutor().compileQuery(node, { queryId: '' } as never)
    if (text.startsWith('SET ')) continue
    const { rows } = await db.executeQuery(CompiledQuery.raw(`EXPLAIN ${text}`, [...parameters]))
    plans.push(...(rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']))
  }
  return plans.join('\n')
}
