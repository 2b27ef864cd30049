import { readKeptFile } from '#lib/statements/kept-file.ts'
import { refuse, serveSession } from '../../../../answer.ts'

interface Context {
  readonly params: Promise<{ readonly id: string }>
}

/** A table whose columns its person may map again. */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return serveSession(request, async (session) => {
    const bytes = await readKeptFile(session, (await params).id)
    if (bytes === null) return refuse(404, 'The file of this statement is not kept.')
    return new Response(bytes, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'cache-control': 'no-store',
      },
    })
  })
}
