/** What other features may use of terminals, in a browser too. */
export { merchantIdFault, nameOf } from './terminal.ts'
