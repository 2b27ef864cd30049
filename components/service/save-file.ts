/** Some browsers read the file some time after the click. */
const FILE_KEPT_MS = 60_000

export function saveFile(fileName: string, parts: readonly string[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob([...parts], { type: fileName.endsWith('.json') ? 'application/json' : 'text/csv;charset=utf-8' }),
  )
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), FILE_KEPT_MS)
}
