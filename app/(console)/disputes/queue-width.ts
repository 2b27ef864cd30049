/** Nine columns beside the rail: below 1536 pixels ids, names and the room between columns are shorter. What is cut shows on hover. */
export const queueWidth =
  'max-2xl:[&_[data-tail]>span]:max-w-[4ch] max-2xl:[&_[data-assignee]]:max-w-[12ch] max-2xl:[&_[data-until]]:sr-only max-2xl:[&_td]:px-2 max-2xl:[&_th]:px-2'
