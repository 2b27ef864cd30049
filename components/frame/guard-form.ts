import { guardUnload } from './leave-guard.ts'

/** For the `ref` of a form: leaving asks about typed text, unless it was submitted and is `data-taken` by a change. */
export function guardForm(form: HTMLFormElement): () => void {
  let submitted = ''
  const typed = () =>
    [...form.querySelectorAll<HTMLInputElement>('input, textarea')]
      .flatMap(({ value, defaultValue }) => (value === defaultValue ? [] : [value]))
      .join('\n')
  form.addEventListener('submit', () => {
    submitted = typed()
  })
  return guardUnload({
    holds: () => typed() !== '' && !(form.dataset.taken === 'true' && typed() === submitted),
  })
}
