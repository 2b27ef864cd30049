import 'server-only'

/** The text of a file: UTF-8, with or without its mark, UTF-16 with its mark, and what is neither as Windows-1252. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Older banking software writes Latin-1; Windows-1252 is the same with printable characters in its gap.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
