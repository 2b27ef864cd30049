export const NAME_TAKEN = 'Another view of this table has this name. Give it another one.'

/** `gone` lists settings that the table does not have. */
export const stateFault = (gone: readonly string[] = []): string =>
  gone.length === 0 ? 'This is not how a table can be set.' : `The table does not have ${gone.join(', ')}.`
