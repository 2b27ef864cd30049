import { z } from 'zod'

export const envelope = <Data extends z.ZodType>(data: Data) => z.object({ data })
