/** A module once more, as it is in another bundle of the framework: its classes and variables are not those of the first. */
export const inAnotherBundle = async <Module>(file: string): Promise<Module> =>
  (await import(/* @vite-ignore */ `${process.cwd()}/${file}?another-bundle`)) as Module
