export const NAME_TAKEN = 'Another view of this table has this name. Give it another one.'

/** Why a view cannot be saved with a state; `gone` is what the table has not. */
export const stateFault = (gone: readonly string[] = []): string =>
  gone.length === 0 ? 'This is not how a table can be set.' : `The table does not have ${gone.join(', ')}.`
