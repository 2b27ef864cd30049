import 'server-only'

export type FieldFaults = Readonly<Record<string, string>>

export const faultsOf = (checked: Readonly<Record<string, string | null>>): FieldFaults =>
  Object.fromEntries(Object.entries(checked).flatMap(([field, fault]) => (fault === null ? [] : [[field, fault]])))
