import { z } from 'zod'

/** Success envelope: the payload is always under `data`. */
export const envelope = <Data extends z.ZodType>(data: Data) => z.object({ data })
