/**
 * Nine columns must fit beside the rail, so ids, names and gaps are shorter below 1536 pixels. Cut text shows in full
 * on hover.
 */
export const queueWidth =
  'max-[1535px]:[&_[data-tail]>span]:max-w-[4ch] max-[1535px]:[&_[data-assignee]]:max-w-[10ch] max-[1535px]:[&_[data-until]]:sr-only max-[1535px]:[&_[data-unread-word]]:sr-only max-[1535px]:[&_td]:px-2 max-[1535px]:[&_th]:px-2 max-[1535px]:[&_td:last-child]:pr-5.5 max-[1535px]:[&_td_[data-copy-area]>:last-child]:-ml-1'
