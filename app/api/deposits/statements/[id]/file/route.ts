import { readKeptFile } from '#lib/statements/kept-file.ts'
import { attachment, type Params, refuse, serveSession } from '../../../../answer.ts'

/** A table whose columns its person may map again. */
export const GET = (request: Request, { params }: Params<'id'>): Promise<Response> =>
  serveSession(request, async (session) => {
    const bytes = await readKeptFile(session, (await params).id)
    if (bytes === null) return refuse(404, 'The file of this statement is not kept.')
    return attachment(bytes, 'application/octet-stream', null)
  })
