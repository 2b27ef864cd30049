import 'server-only'

/** Field name to what is wrong with it, in words for the person who typed it. */
export type FieldFaults = Readonly<Record<string, string>>

/** The fields with which something is wrong. */
export const faultsOf = (checked: Readonly<Record<string, string | null>>): FieldFaults =>
  Object.fromEntries(Object.entries(checked).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])))
