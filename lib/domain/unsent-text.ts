/** What a person typed and has not sent is kept up to this length, in UTF-16 code units as fields count them. */
export const UNSENT_TEXT_MAX_CHARS = 10_000

/** Where the fields of one deposit's confirmation are kept. */
export const depositPlace = (reference: string): string => `deposit:${reference}`
