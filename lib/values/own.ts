/** What a table holds under a text from outside; undefined for one like `constructor`, which every object answers to. */
export const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
