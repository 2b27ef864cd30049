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
