/** A response may have other states. Free of zod, for browsers. */
export const cardStates = ['UNISSUED', 'ACTIVE', 'BLOCKED'] as const

export type CardState = (typeof cardStates)[number]

/** interface.md, "Limits". */
export const PRINTED_NAME_MAX_CHARS = 64
