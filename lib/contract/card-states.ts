/** The states that interface.md gives. A response may carry others; they stay plain strings. Free of schemas, for browsers. */
export const cardStates = ['UNISSUED', 'ACTIVE', 'BLOCKED'] as const

export type CardState = (typeof cardStates)[number]

/** interface.md, "Limits". */
export const PRINTED_NAME_MAX_CHARS = 64
