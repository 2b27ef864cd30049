import 'server-only'

/** A shorter part stands in nearly every text. */
export const PART_MIN_CHARS = 3

/** What ILIKE compares with for a part of a text, wherever it stands; nothing in it means anything but itself. */
export const partPattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
