/** Fields of every JSON type that no reader knows, with names that are easily stumbled over. */
const strangers: Readonly<Record<string, unknown>> = {
  aaInteger: 12,
  aaLarge: JSON.rawJSON('12345678901234567890'),
  aaHuge: JSON.rawJSON('1e400'),
  aaFraction: JSON.rawJSON('0.10'),
  aaBelowZero: JSON.rawJSON('-0.0'),
  aaText: 'x',
  aaEmpty: '',
  aaNull: null,
  aaTrue: true,
  aaList: [1, 'a', null, [], { n: JSON.rawJSON('1.50') }],
  aaMap: { n: 1, deeper: { n: JSON.rawJSON('2e0'), list: [3] } },
  constructor: 'x',
  toString: 7,
  hasOwnProperty: 1,
  'a b.c[0]': 'x',
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An answer as it is written: unknown fields at every depth, and one way of writing UUIDs. */
export function dress(value: unknown, unknownFields: boolean, ids: 'upper' | 'lower'): unknown {
  if (typeof value === 'string' && UUID.test(value)) return ids === 'upper' ? value.toUpperCase() : value.toLowerCase()
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  if (Array.isArray(value)) return value.map((one) => dress(one, unknownFields, ids))
  const named = Object.entries(value).map(([name, one]) => [name, dress(one, unknownFields, ids)] as const)
  const all = Object.fromEntries(unknownFields ? [...Object.entries(strangers), ...named] : named)
  // As a field of JSON it is nothing special, and assigning it would not make one.
  if (unknownFields) Object.defineProperty(all, '__proto__', { value: { n: 1 }, enumerable: true })
  return all
}
