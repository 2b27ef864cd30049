import { cleanReference } from '#lib/values/visible-text.ts'

/** Reads the browser's text: during hydration, the field can hold text that no component knows yet. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name)
  return typeof text === 'string' ? text : ''
}

/** {@link fieldText} without invisible characters, as it is looked up and sent. */
export const fieldReference = (form: HTMLFormElement, name: string): string => cleanReference(fieldText(form, name))
