/** Field texts as typed. */
export interface Statement {
  readonly bankReference: string
  readonly statementAmount: string
}

/** Serializes unsent input; empty when nothing is typed. */
export const writeStatement = ({ bankReference, statementAmount }: Statement): string =>
  bankReference === '' && statementAmount === '' ? '' : JSON.stringify([bankReference, statementAmount])

/** Parses the text of `writeStatement`; any other text gives empty fields. */
export function readStatement(text: string): Statement {
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch {
    parts = null
  }
  const [bankReference, statementAmount]: readonly unknown[] = Array.isArray(parts) ? parts : []
  return {
    bankReference: typeof bankReference === 'string' ? bankReference : '',
    statementAmount: typeof statementAmount === 'string' ? statementAmount : '',
  }
}
