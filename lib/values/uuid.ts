const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const TAIL_CHARS = 6

export const isUuid = (text: string): boolean => UUID.test(text)

/** `…000011` */
export const endOf = (id: string): string => `…${id.trim().slice(-TAIL_CHARS)}`
