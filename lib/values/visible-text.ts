/**
 * Characters that change how the text around them reads, or that cannot be seen: directional marks, overrides and
 * isolates, zero-width and control characters. Line ends, tabs and the joiners that scripts need are left alone.
 */
const HIDDEN = /(?![\n\r\t\u200C\u200D])[\p{Cc}\p{Cf}]/gu

const nameOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Text of wallet users made safe to read: what would be invisible is written out as `[U+202E]`. */
export const visibleText = (text: string): string => text.replace(HIDDEN, nameOf)
