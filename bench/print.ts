/** Every figure goes out as soon as it is there: a run takes minutes. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)
