import 'server-only'
import { z } from 'zod'

export const text = z.string({ error: 'is missing' }).trim().min(1, 'is empty')

export const onOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((value) => value === 'on')

export const whole = (from: number, to: number) =>
  text
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be from ${from} to ${to}`)
