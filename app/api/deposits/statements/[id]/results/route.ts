import { resultsFile } from '#lib/statements/results-csv.ts'
import { refuse } from '../../../../answer.ts'
import { serveStatements } from '../../serve-statements.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

/** Every line of a statement with what came of it, as a CSV file. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveStatements(request, async () => {
    const file = await resultsFile((await params).id)
    if (file === null) return refuse(404, 'There is no such statement.')
    return new Response(file.text, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${file.name}"`,
        'cache-control': 'no-store',
      },
    })
  })
}
