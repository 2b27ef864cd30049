import { cleanReference } from '#lib/values/visible-text.ts'

/**
 * The text of a form's field as the browser has it: a form that is submitted while the page hydrates holds text that no
 * component knows yet.
 */
export function fieldText(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name)
  return typeof text === 'string' ? text : ''
}

/** {@link fieldText} of a reference or an id, as it is looked up and sent. */
export const fieldReference = (form: HTMLFormElement, name: string): string => cleanReference(fieldText(form, name))
