import { cleanReference } from '#lib/values/visible-text.ts'

/** During hydration, the field can hold text that no component knows yet. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name)
  return typeof text === 'string' ? text : ''
}

/** Without invisible characters. */
export const fieldReference = (form: HTMLFormElement, name: string): string => cleanReference(fieldText(form, name))
