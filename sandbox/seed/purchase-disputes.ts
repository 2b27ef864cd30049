import type { DisputeSubject } from './dispute-subject.ts'

export const purchaseDisputes = {
  twice: {
    type: 'PURCHASE',
    cases: [
      ['Groceries', 'I was charged twice at the till.'],
      ['Coffee', 'Second payment for one coffee.'],
      ['', 'The reader said "failed", I paid cash, and it was taken anyway.'],
    ],
    payer: [
      'The reader said no, the girl at the counter said try again, and now there are two payments of {amount}.',
      'I have one receipt, from {hour}. There was one bag of shopping.',
      'Please look at your till of {day}, you must have {amount} too much.',
      'I come to {place} every week, I am not making this up.',
    ],
    recipient: [
      'Our till shows one sale at {hour}. The second one we have to look for.',
      'The bookkeeper comes on {day}. I will ask her to compare.',
      'It is possible, the reader at that counter was replaced since.',
      'If the second one is on our side you get it back, no question.',
    ],
    refunded: 'The till confirms that the amount was taken twice.',
    released: 'The till shows two sales with different goods.',
  },
  spoiled: {
    type: 'PURCHASE',
    cases: [
      ['Fish', 'The fish was bad and the shop refuses to take it back.'],
      ['Chicken, rice', 'Chicken was off, two of us were ill.'],
      ['Milk powder', 'Date on the tin was three months over.'],
    ],
    payer: [
      'We opened it at {hour} and the whole kitchen smelled. I brought it back on {day} and was sent away.',
      'Nobody eats that. I kept it in the freezer in case somebody wants to see it.',
      'The date is under the price sticker. I have a picture.',
      'It is not about {amount}, it is about how I was treated.',
    ],
    recipient: [
      'Fish leaves our ice at {hour} and goes straight into the bag. What happens in the sun after that is not on us.',
      'Nobody came back on {day}, I was at the counter myself.',
      'Send the picture of the sticker, then I can see which delivery it was.',
      'The other forty customers of that day did not complain.',
    ],
    refunded: 'The picture shows the date. The shop takes it back.',
    released: 'The payer did not answer within seven days and shows nothing for the claim.',
  },
  receipt: {
    type: 'PURCHASE',
    cases: [
      ['School things', 'The amount taken is higher than on the receipt.'],
      ['Hardware', 'They added a delivery that I never ordered.'],
      ['Dinner', 'A tip was added that I did not agree to.'],
    ],
    payer: [
      'Receipt: 12.40 less than {amount}. I have it here, printed at {hour}.',
      'Nobody asked me and nobody told me.',
      'I only noticed on {day}, when I went through my history.',
      'Please give back the difference. I would even have tipped if you had asked.',
    ],
    recipient: [
      'Service is included after {hour}, it is on the menu.',
      'We are looking for the slip of {day}. There were many guests.',
      'The difference is two items that were scanned after the receipt was printed.',
      'We can settle this with a voucher.',
    ],
    refunded: 'Nothing shows that the payer agreed to the difference.',
    released: 'The difference is explained by the second receipt.',
  },
  faulty: {
    type: 'PURCHASE',
    cases: [
      ['Fan', 'The fan broke on the second day. Shop says no warranty.'],
      ['Blender', 'Wrong voltage, it burnt when I plugged it in.'],
      ['Shoes', 'Sole came off, they say I wore them wrong.'],
    ],
    payer: [
      'Two days. I have the box, the receipt and the plug that melted.',
      'The man at {place} told me to come back on {day}. I did, and then it was "talk to the manager".',
      'A thing for {amount} has to last longer than a weekend.',
      'I do not want a voucher. I want one that works or the money.',
    ],
    recipient: [
      'We sell what the importer sends. They decide on warranty, and they answer on {day}.',
      'The plug looks as if it was in a wet socket.',
      'I can exchange it, I have two left. You have to come by before {hour}.',
      'Bring it to {place}, my technician will look at it while you wait.',
    ],
    refunded: 'The importer replaces it, so the shop gives the money back.',
    released: 'An exchange was offered twice and refused.',
  },
  order: {
    type: 'PURCHASE',
    cases: [
      ['Order 4471', 'The order was paid and never delivered.'],
      ['Order 4502', 'Half of the order is missing.'],
      ['Gas cylinder', 'They delivered an empty cylinder.'],
    ],
    payer: [
      'I was promised {day}, then {hour}, then nothing. The driver calls and hangs up.',
      'Somebody signed for it, and it was not me. We are four in this house and all of us were at work.',
      'Please send the name on the delivery slip.',
      'If it is at {place} I will fetch it myself, just tell me.',
    ],
    recipient: [
      'Our driver says he handed it over at {hour}. The slip has a signature.',
      'Is there a second house with that number? It happened once before, near {place}.',
      'I am asking him again on {day}, he is off until then.',
      'It is not in the store, so somebody has it.',
    ],
    refunded: 'The order was handed to somebody else.',
    released: 'The delivery slip is signed by the payer.',
  },
} as const satisfies Record<string, DisputeSubject>
