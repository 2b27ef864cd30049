/**
 * What stands in a form's field right now, as the browser has it: a form that is sent in the moment in which the page comes
 * alive holds text that no component has been told of yet.
 */
export function fieldText(form: HTMLFormElement, name: string): string {
  const text = new FormData(form).get(name)
  return typeof text === 'string' ? text : ''
}
