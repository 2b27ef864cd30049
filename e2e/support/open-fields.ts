import type { IncomingHttpHeaders } from 'node:http'

/** Stands in unknown fields alone: where it shows up, one of them got through. */
export const CANARY = 'canary-of-an-unknown-field'

const scalars = `"zzText":"${CANARY}","zzNumber":12.50,"zzHuge":123456789012345678901234567890.12345678e9,"zzTrue":true,"zzNull":null`
const nested = `{${scalars},"zzList":["${CANARY}",{${scalars}}]}`
const unknownFields = `${scalars},"zzList":["${CANARY}",7,[${nested}],null],"zzObject":${nested}`

/** The same JSON with unknown fields of every JSON type in each of its objects, at every depth. */
export const withUnknownFields = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\{(\s*\})?/g, (token, empty: string | undefined) => {
    if (!token.startsWith('{')) return token
    return empty === undefined ? `{${unknownFields},` : `{${unknownFields}}`
  })

export const isJson = (headers: IncomingHttpHeaders): boolean => /\bjson\b/.test(headers['content-type'] ?? '')

const END_OF_HEAD = '\r\n\r\n'

/** Passes a WebSocket's answer on, its texts with unknown fields. What is no WebSocket goes on as it is. */
export function openTexts(passOn: (bytes: Buffer) => void): (part: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  let stage: 'head' | 'frames' | 'as it is' = 'head'
  return (part) => {
    held = Buffer.concat([held, part])
    if (stage === 'head') {
      const end = held.indexOf(END_OF_HEAD)
      if (end < 0) return
      stage = /^HTTP\/1\.1 101 /.test(held.toString('latin1', 0, 20)) ? 'frames' : 'as it is'
      passOn(held.subarray(0, end + END_OF_HEAD.length))
      held = held.subarray(end + END_OF_HEAD.length)
    }
    for (let size = stage === 'frames' ? sizeOfFirst(held) : held.length; size > 0; size = sizeOfFirst(held)) {
      const frame = held.subarray(0, size)
      passOn(stage === 'frames' ? opened(frame) : frame)
      held = held.subarray(size)
    }
  }
}

/** Where the payload of an unmasked frame begins. */
const offsetOf = (frame: Buffer): number => ({ 126: 4, 127: 10 })[frame[1] ?? 0] ?? 2

/** 0 while the first frame is not whole. */
function sizeOfFirst(held: Buffer): number {
  if (held.length < 2 || held.length < offsetOf(held)) return 0
  const short = held[1] ?? 0
  const long = short === 126 ? held.readUInt16BE(2) : Number(short === 127 ? held.readBigUInt64BE(2) : short)
  const size = offsetOf(held) + long
  return held.length < size ? 0 : size
}

const WHOLE_TEXT = 0x81

function opened(frame: Buffer): Buffer {
  if (frame[0] !== WHOLE_TEXT) return frame
  const payload = Buffer.from(withUnknownFields(frame.subarray(offsetOf(frame)).toString('utf8')))
  const head = Buffer.alloc(10)
  head[0] = WHOLE_TEXT
  head[1] = 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}
