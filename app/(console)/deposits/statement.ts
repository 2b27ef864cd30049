/** What a person types of the bank's statement, as it stands in the fields. */
export interface Statement {
  readonly bankReference: string
  readonly statementAmount: string
}

/** As one text, to be kept while it is not sent; empty when nothing is typed. */
export const writeStatement = ({ bankReference, statementAmount }: Statement): string =>
  bankReference === '' && statementAmount === '' ? '' : JSON.stringify([bankReference, statementAmount])

/** Of a text that `writeStatement` made; nothing typed for any other. */
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
