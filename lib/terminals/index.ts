/** The public interface of terminals that is safe in a browser. */
export { merchantIdFault, nameOf } from './terminal.ts'
